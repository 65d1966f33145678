import {suites, type DbscanResultFile, type ResultFile} from '@epsball/benchmarks';
import {Evidence} from '../verdicts/evidence.ts';
import {judgeAll, type Verdict} from '../verdicts/verdicts.ts';
import type {DbscanSection} from '../dbscan/section.ts';
import type {MeanShiftSection} from '../meanShift/section.ts';
import type {Run} from '../run.ts';

/** The runs of one machine, and what they say of the documents. */
export interface MachineRuns {
  /** GPU first: `NVIDIA H200 and Intel(R) Xeon(R) Processor, 16 threads`. */
  readonly name: string;
  /** Short: the GPU, else the processor. */
  readonly shortName: string;
  readonly runs: readonly Run[];
  readonly evidence: Evidence;
  readonly verdicts: readonly Verdict[];
}

/**
 * Groups runs by machine, the one with the most runs first; among equals the later name, an H200 before an H100.
 *
 * @param references  results whose times of the reference stand in where a run has none
 */
export function groupByMachine(runs: readonly Run[], references: readonly DbscanResultFile[]): MachineRuns[] {
  const groups = [...Map.groupBy(runs, ({result}) => machineName(result)).entries()];
  return groups
    .map(([name, alike]): MachineRuns => {
      const evidence = new Evidence(
        alike.map(({result}) => result),
        references,
      );
      const {adapter, machine} = alike[0].result;
      return {
        name,
        shortName: adapter === null ? machine.cpu : adapter.name,
        runs: alike,
        evidence,
        verdicts: judgeAll(evidence),
      };
    })
    .sort((a, b) => b.runs.length - a.runs.length || b.name.localeCompare(a.name, 'en', {numeric: true}));
}

/** GPU and processor: the two that times depend on. */
export function machineName({adapter, machine}: ResultFile): string {
  const cpu = `${machine.cpu}, ${machine.threads} ${machine.threads === 1 ? 'thread' : 'threads'}`;
  return adapter === null ? `${cpu}, without a GPU` : `${adapter.name} and ${cpu}`;
}

/** The section of a suite of DBSCAN on a machine; null if it did not run. */
export function dbscanSection({runs, evidence}: MachineRuns, id: string): DbscanSection | null {
  const suite = suites.find((one) => one.id === id);
  const result = evidence.result(id);
  const run = runs.find((one) => one.result === result);
  if (suite?.kind !== 'dbscan' || result?.kind !== 'dbscan' || run === undefined) return null;
  return {kind: 'dbscan', suite, runs: [{...run, result}]};
}

/** The section of mean shift on a machine; null if it did not run. */
export function meanShiftSection({runs, evidence}: MachineRuns): MeanShiftSection | null {
  const suite = suites.find((one) => one.kind === 'mean-shift');
  const result = evidence.result('mean-shift');
  const run = runs.find((one) => one.result === result);
  if (suite === undefined || result?.kind !== 'mean-shift' || run === undefined) return null;
  return {kind: 'mean-shift', suite, runs: [{...run, result}]};
}
