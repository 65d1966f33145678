import {
  brokenPromises,
  failedMeanShifts,
  failedPrimitives,
  type Adapter,
  type DbscanResultFile,
  type MeanShiftResultFile,
  type PrimitiveResultFile,
  type ProfileName,
  type Suite,
  type Workload,
} from '@epsball/benchmarks';
import type {AdapterChoice} from '@epsball/gpu';
import {runMeanShiftSuite} from '../meanShift/runMeanShiftSuite.ts';
import {runPrimitiveSuite} from '../primitives/runPrimitiveSuite.ts';
import type {EarlierLabels} from './dbscan/earlierLabels.ts';
import {runDbscanSuite} from './dbscan/runDbscanSuite.ts';

/** What the probe of the adapter found. */
export interface FoundAdapter {
  readonly adapter: Adapter | null;
  /** Why there is no adapter. */
  readonly adapterError: string | null;
}

export interface RunSuiteOptions {
  readonly profile: ProfileName;
  readonly adapter: AdapterChoice;
  readonly found: FoundAdapter;
  readonly resultsDir: string;
  /** Start of the names of all files of this run. */
  readonly stem: string;
  /** Labels that need no run of the reference; none unless given. */
  readonly earlierLabels?: ((workload: Workload) => EarlierLabels | undefined) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly log: (line: string) => void;
}

/** What a run of a suite gave. */
export interface SuiteRun {
  /** The part of a result file that depends on the kind of the suite. */
  readonly ran:
    | Pick<DbscanResultFile, 'kind' | 'cells'>
    | Pick<PrimitiveResultFile, 'kind' | 'cells'>
    | Pick<MeanShiftResultFile, 'kind' | 'cells'>;
  /** What the suite promised and the run broke, one sentence each. */
  readonly broken: string[];
}

/**
 * Runs every cell of a suite, one after the other, in processes of their own.
 *
 * @throws the signal's reason  if `signal` fires
 */
export async function runSuite(suite: Suite, options: RunSuiteOptions): Promise<SuiteRun> {
  switch (suite.kind) {
    case 'dbscan': {
      const cells = await runDbscanSuite(suite, options);
      return {ran: {kind: suite.kind, cells}, broken: brokenPromises(suite, {cells, adapter: options.found.adapter})};
    }
    case 'primitives': {
      const cells = await runPrimitiveSuite(suite, options);
      return {ran: {kind: suite.kind, cells}, broken: failedPrimitives(suite, cells)};
    }
    default: {
      const cells = await runMeanShiftSuite(suite, options);
      return {ran: {kind: suite.kind, cells}, broken: failedMeanShifts(suite, cells)};
    }
  }
}
