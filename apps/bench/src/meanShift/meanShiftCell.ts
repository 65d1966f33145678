import type {MeanShiftCell} from '@epsball/benchmarks';
import {GpuLimitError} from '@epsball/clustering';
import {describeLimit} from '../suite/describeLimit.ts';
import type {MeanShiftJob} from './job.ts';
import {measureMeanShift} from './measureMeanShift.ts';

/**
 * Measures one cell in this process. A cell that exceeds a limit of the adapter is left out.
 *
 * @throws Error  if the result is wrong
 */
export async function meanShiftCell(
  job: MeanShiftJob,
  measure: (job: MeanShiftJob) => Promise<MeanShiftCell> = measureMeanShift,
): Promise<MeanShiftCell> {
  try {
    return await measure(job);
  } catch (error) {
    if (!(error instanceof GpuLimitError)) throw error;
    const {method, threads, tileWidth, n} = job;
    return {method, threads, tileWidth, n, status: 'leftOut', reason: describeLimit(error)};
  }
}
