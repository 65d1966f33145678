import type {HdbscanCell, HdbscanKey} from './result.ts';
import {HDBSCAN_METHODS, type HdbscanProfile, type HdbscanSuite} from './suite.ts';

/** What is known before a cell starts. */
export interface HdbscanContext {
  readonly adapterError: string | null;
  /** The adapter is a software one. */
  readonly softwareGpu: boolean;
  /** Whether R with the package dbscan is installed. */
  readonly hasR: boolean;
  readonly elapsedSeconds: number;
}

/** Every cell of a suite, in running order. */
export function planHdbscan(suite: HdbscanSuite, profile: HdbscanProfile): HdbscanKey[] {
  return suite.datasets.flatMap((dataset) =>
    profile.sizes.flatMap((n) => HDBSCAN_METHODS.map((method) => ({method, dataset, n}))),
  );
}

/** Why a cell is left out, or null where it runs. */
export function whyHdbscanLeftOut(
  {method, n}: HdbscanKey,
  {maxPointsOfR}: HdbscanSuite,
  {softwareGpuMaxN, suiteSeconds}: HdbscanProfile,
  {adapterError, softwareGpu, hasR, elapsedSeconds}: HdbscanContext,
): string | null {
  if (elapsedSeconds > suiteSeconds) return `the profile’s ${suiteSeconds} s for this suite are used up`;
  if (method === 'R') {
    if (n > maxPointsOfR) return `R keeps all pairs: at most ${maxPointsOfR.toLocaleString('en-US')} points`;
    return hasR ? null : 'R with the package dbscan is not installed';
  }
  if (method !== 'gpu') return null;
  if (adapterError !== null) return adapterError;
  if (!softwareGpu || n <= softwareGpuMaxN) return null;
  return `software GPU adapter: at most ${softwareGpuMaxN.toLocaleString('en-US')} points`;
}

/** `sequential on tweets at 20,000`: for lines of progress and errors. */
export function nameHdbscan({method, dataset, n}: HdbscanKey): string {
  return `${method} on ${dataset.replace(/:.*/, '')} at ${n.toLocaleString('en-US')}`;
}

/** The failed cells of a run, one sentence each. */
export function failedHdbscan(suite: HdbscanSuite, cells: readonly HdbscanCell[]): string[] {
  return cells.flatMap((cell) =>
    cell.status === 'failed' ? [`${suite.id}: ${nameHdbscan(cell)}: ${cell.error}`] : [],
  );
}
