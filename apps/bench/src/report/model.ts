import {suites, type ResultFile, type ResultFileOf, type SuiteKind, type SuiteOf} from '@epsball/benchmarks';
import type {Run, Section, SectionOf} from './run.ts';

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
 * @throws Error   if a result names an unknown suite, or a suite of another kind
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
  const sections: Section[] = suites.flatMap((suite) => sectionsOf(suite, runs, compare));
  return {createdAt, compare, runs, sections};
}

function sectionsOf<Kind extends SuiteKind>(
  suite: SuiteOf<Kind>,
  runs: readonly Run[],
  compare: boolean,
): {[K in Kind]: SectionOf<K>}[Kind][] {
  const {id, kind} = suite;
  const [first, ...rest] = runs.flatMap(({result, ...run}): Run<ResultFileOf<Kind>>[] =>
    result.suite === id && isOfKind(result, kind) ? [{...run, result}] : [],
  );
  if (first === undefined) return [];
  return compare
    ? [{kind, suite, runs: [first, ...rest]}]
    : [first, ...rest].map((run) => ({kind, suite, runs: [run]}));
}

function isOfKind<Kind extends SuiteKind>(
  result: {readonly kind: SuiteKind},
  kind: Kind,
): result is ResultFileOf<Kind> {
  return result.kind === kind;
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
