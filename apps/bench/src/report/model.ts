import {suites, type ResultFile, type Suite} from '@epsball/benchmarks';
import type {DbscanSection} from './dbscan/section.ts';
import type {MeanShiftSection} from './meanShift/section.ts';
import type {PrimitiveSection} from './primitives/section.ts';
import type {Run, SectionOf} from './run.ts';

/** What `kind` says of a suite and its results holds for the section; `viewOf` tells them apart, and nobody else. */
export type Section = DbscanSection | PrimitiveSection | MeanShiftSection;

export interface Report {
  readonly createdAt: string;
  readonly compare: boolean;
  readonly runs: readonly Run[];
  readonly sections: readonly Section[];
}

/**
 * Groups results into sections, in the order of the suites.
 *
 * @param compare  one section a suite with all its runs side by side, instead of one section a result
 * @throws Error   if a result names a suite that does not exist, or one of another kind
 */
export function buildReport(
  files: readonly {readonly folder: string; readonly result: ResultFile}[],
  compare: boolean,
  createdAt: string,
): Report {
  const runs = labelRuns(files);
  const unknown = runs.find(({result}) => !suites.some(({id, kind}) => id === result.suite && kind === result.kind));
  if (unknown !== undefined) {
    throw new Error(`suite = "${unknown.result.suite}"; expected one of ${suites.map(({id}) => id).join(', ')}`);
  }
  const sections = suites.flatMap((suite): Section[] => {
    const own = runs.filter(({result}) => result.suite === suite.id);
    switch (suite.kind) {
      case 'dbscan':
        return group(suite, own.flatMap(asKind(suite.kind)), compare);
      case 'primitives':
        return group(suite, own.flatMap(asKind(suite.kind)), compare);
      default:
        return group(suite, own.flatMap(asKind(suite.kind)), compare);
    }
  });
  return {createdAt, compare, runs, sections};
}

/** Runs with the result files of one kind; of another there are none, which the compiler cannot know. */
function asKind<Kind extends ResultFile['kind']>(
  kind: Kind,
): (run: Run) => Run<Extract<ResultFile, {readonly kind: Kind}>>[] {
  return (run) => (isOfKind(run.result, kind) ? [{...run, result: run.result}] : []);
}

function isOfKind<Kind extends ResultFile['kind']>(
  result: ResultFile,
  kind: Kind,
): result is Extract<ResultFile, {readonly kind: Kind}> {
  return result.kind === kind;
}

function group<S extends Suite, Result extends ResultFile>(
  suite: S,
  [first, ...rest]: readonly Run<Result>[],
  compare: boolean,
): SectionOf<S, Result>[] {
  if (first === undefined) return [];
  const {kind} = suite;
  return compare
    ? [{kind, suite, runs: [first, ...rest]}]
    : [first, ...rest].map((run) => ({kind, suite, runs: [run]}));
}

function labelRuns(files: readonly {readonly folder: string; readonly result: ResultFile}[]): Run[] {
  const runs: Run[] = [];
  let letters = 0;
  for (const {folder, result} of files) {
    const label = describeOrigin(result);
    const sibling = runs.find(
      (run) => run.label === label && !runs.some((o) => o.letter === run.letter && o.result.suite === result.suite),
    );
    const letter = sibling?.letter ?? letterOf(letters++);
    runs.push({label, letter, folder, result});
  }
  return runs;
}

function describeOrigin({adapter, machine, commit}: ResultFile): string {
  const gpu = adapter === null ? 'no GPU' : adapter.name;
  const hash = commit.hash.slice(0, 7) + (commit.dirty ? ' with local changes' : '');
  return `${machine.cpu}, ${machine.threads} threads, ${gpu}, commit ${hash}`;
}

/** A … Z, then A1 … */
function letterOf(index: number): string {
  const letter = String.fromCodePoint(65 + (index % 26));
  return index < 26 ? letter : `${letter}${Math.floor(index / 26)}`;
}
