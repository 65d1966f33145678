import {suiteKinds, type ResultFileOf, type SuiteKind, type SuiteOf} from '@epsball/benchmarks';
import {kinds} from './kinds.ts';
import type {RunSuiteOptions} from './runOptions.ts';

/** Result of a run of a suite. */
export interface SuiteRun<Kind extends SuiteKind> {
  /** The part of a result file that depends on the kind of the suite. */
  readonly ran: {[K in Kind]: Pick<ResultFileOf<K>, 'kind' | 'cells'>}[Kind];
  /** Failed cells and broken limits, one sentence each. */
  readonly broken: string[];
}

/**
 * Runs every cell of a suite, one after the other, in processes of their own.
 *
 * @throws the signal's reason  if `signal` fires
 */
export async function runSuite<Kind extends SuiteKind>(
  suite: SuiteOf<Kind>,
  options: RunSuiteOptions,
): Promise<SuiteRun<Kind>> {
  const {kind} = suite;
  const cells = await kinds[kind].runCells(suite, options);
  const broken = suiteKinds[kind].findFailures(suite, cells, options.found.adapter);
  return {ran: {kind, cells}, broken};
}
