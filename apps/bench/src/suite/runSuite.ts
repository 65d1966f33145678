import {
  brokenPromises,
  failedMeanShifts,
  failedPrimitives,
  type DbscanResultFile,
  type MeanShiftResultFile,
  type PrimitiveResultFile,
  type Suite,
} from '@epsball/benchmarks';
import {runMeanShiftSuite} from '../meanShift/runMeanShiftSuite.ts';
import {runPrimitiveSuite} from '../primitives/runPrimitiveSuite.ts';
import {runDbscanSuite} from './dbscan/runDbscanSuite.ts';
import type {RunSuiteOptions} from './runOptions.ts';

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
