import {
  primitiveKeyOf,
  summarizeTimes,
  whyCountLeftOut,
  type CountContext,
  type PrimitiveCell,
} from '@epsball/benchmarks';
import {GpuLimitError} from '@epsball/clustering';
import {describeLimit} from '../suite/describeLimit.ts';
import {DeviceSeries} from './deviceSeries.ts';
import {timeOnHost} from './hostTimes.ts';
import type {MeasuredCount, SeriesJob} from './job.ts';
import type {Operation} from './operation.ts';

/** Measures one count of a series. */
type MeasureCount = (count: number) => Promise<MeasuredCount>;

/**
 * Measures every count of a series in this process, and reports the cells of each as soon as it has them.
 *
 * After a count that fails or is left out, the next count runs.
 *
 * @param operation  the code of the job's operation
 * @throws Error  if the device or its pipelines cannot be created
 */
export async function measureSeries(
  job: SeriesJob,
  operation: Operation,
  report: (cell: PrimitiveCell) => void,
): Promise<void> {
  if (job.implementation === 'javascript') {
    await measureCounts(job, false, (count) => Promise.resolve(measureHostCount(job, operation, count)), report);
    return;
  }
  const series = await DeviceSeries.open(job, operation);
  try {
    await measureCounts(job, series.isSoftware, (count) => series.measureCount(count), report);
  } finally {
    series.destroy();
  }
}

async function measureCounts(
  {operation, implementation, profile}: SeriesJob,
  softwareGpu: boolean,
  measureCount: MeasureCount,
  report: (cell: PrimitiveCell) => void,
): Promise<void> {
  let previous: CountContext['previous'] = null;
  for (const count of profile.counts) {
    const key = primitiveKeyOf(operation, implementation, count);
    const reason = whyCountLeftOut(profile, count, {implementation, softwareGpu, previous});
    if (reason !== null) {
      report({...key, status: 'leftOut', reason});
      continue;
    }
    try {
      const {cells, runSeconds} = await measureCount(count);
      previous = {count, runSeconds};
      for (const cell of cells) report(cell);
    } catch (error) {
      if (error instanceof GpuLimitError) report({...key, status: 'leftOut', reason: describeLimit(error)});
      else report({...key, status: 'failed', error: error instanceof Error ? error.message : String(error)});
    }
  }
}

function measureHostCount(
  {operation, profile}: SeriesJob,
  {isReference, verified, onHost}: Operation,
  count: number,
): MeasuredCount {
  const {run, verify} = onHost(count);
  const wall = summarizeTimes(timeOnHost(run, profile));
  verify();
  return {
    runSeconds: wall.medianMs / 1000,
    cells: [
      {
        ...primitiveKeyOf(operation, 'javascript', count),
        status: 'measured',
        bytes: operation.bytesPerElement * count,
        verified: isReference ? 'is what ours is compared with' : verified,
        device: null,
        batch: 1,
        wall,
      },
    ],
  };
}
