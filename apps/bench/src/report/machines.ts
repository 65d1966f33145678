import {claims, Evidence, judge, machineName, type Judgement, type ResultFile, type Verdict} from '@epsball/benchmarks';

/** A result with the folder that holds its pictures. */
export interface Run {
  readonly folder: string;
  readonly result: ResultFile;
}

/** The runs of one machine, and what they say of the documents. */
export interface MachineRuns {
  /** GPU first: `NVIDIA H200 and Intel(R) Xeon(R) Processor, 16 threads`. */
  readonly name: string;
  /** `H200`; the processor where there is no GPU. */
  readonly shortName: string;
  readonly runs: readonly Run[];
  readonly evidence: Evidence;
  readonly judgements: readonly Judgement[];
}

/**
 * Groups runs by machine, the one that was measured last first.
 *
 * @param references  results whose times stand in where a run of the same kind of machine has none
 */
export function groupByMachine(runs: readonly Run[], references: readonly ResultFile[]): MachineRuns[] {
  return [...Map.groupBy(runs, ({result}) => machineName(result))]
    .map(([name, alike]): MachineRuns => {
      const evidence = new Evidence(
        alike.map(({result}) => result),
        references,
      );
      const {adapter, machine} = alike[0].result;
      const shortName = (adapter?.name ?? machine.cpu)
        .replace(/^(?:NVIDIA|AMD|Intel)(?:\(R\))? /, '')
        .replace(/ \d+ ?GB\b.*$/, '');
      return {name, shortName, runs: alike, evidence, judgements: claims.map((claim) => judge(claim, evidence))};
    })
    .sort((a, b) => lastStart(b).localeCompare(lastStart(a)));
}

/** ISO 8601, in UTC: the order of the texts is that of the times. */
function lastStart({runs}: MachineRuns): string {
  return runs.map(({result}) => result.startedAt).reduce((a, b) => (a > b ? a : b));
}

/** `8f8c89d with local changes` */
export function commitText({commit}: ResultFile): string {
  return `${commit.hash.slice(0, 7)}${commit.dirty ? ' with local changes' : ''}`;
}

/** How many claims have a verdict. */
export function countVerdicts(judgements: readonly Judgement[]): Readonly<Record<Verdict, number>> {
  const counts = {holds: 0, fails: 0, close: 0, partly: 0, 'not run': 0};
  for (const {verdict} of judgements) counts[verdict]++;
  return counts;
}
