import {isOurs, runsOnGpu, summarizeTimes, type MeasuredMeanShiftCell} from '@epsball/benchmarks';
import {generateDataset} from '@epsball/datasets';
import {openGpu} from '@epsball/gpu';
import type {MeanShiftStats} from '@epsball/mean-shift';
import type {MeanShiftJob} from './job.ts';
import {openMethod, type Outcome} from './methods.ts';
import {verifyEnds, verifyShifted} from './verify.ts';

/** Points of the run that loads code, pipelines and drivers before anything is measured. */
const LOADING_RUN_POINTS = 200;

/**
 * Measures one cell in this process: makes the data, runs, compares a sample with the reference, and only then gives
 * times.
 *
 * @throws Error  if the result is wrong
 */
export async function measureMeanShift(job: MeanShiftJob): Promise<MeasuredMeanShiftCell> {
  const {suite, profile, method, threads, tileWidth, n} = job;
  const points = generateDataset(`${suite.dataset},n=${n}`);
  const gpu = runsOnGpu(method) ? await openGpu({adapter: job.adapter}) : undefined;
  try {
    const opened = await openMethod(job, gpu);
    try {
      const few = points.coords.subarray(0, LOADING_RUN_POINTS * points.dim);
      await opened.run({coords: few, dim: points.dim});
      const first = await opened.run(points);
      const {error, verified} = isOurs(method)
        ? verifyEnds(points, await opened.ends(points, first), suite.ours)
        : await verifyShifted(points, first.shifted, suite);
      const runs = await repeat(() => opened.run(points), first.stats, {
        repeats: gpu === undefined ? profile.repeats : profile.deviceRepeats,
        seconds: profile.repeatSeconds ?? profile.cellSeconds,
      });
      const device = runs.flatMap(({deviceMs}) => deviceMs ?? []);
      return {
        status: 'measured',
        method,
        // Of those that choose their number by themselves, too.
        threads: first.stats.counters.threads ?? threads,
        tileWidth,
        n,
        wall: summarizeTimes(runs.map(({wallMs}) => wallMs)),
        device: device.length === runs.length ? summarizeTimes(device) : null,
        iterations: first.iterations,
        error,
        verified,
        clusters: first.clusters,
      };
    } finally {
      opened.destroy();
    }
  } finally {
    gpu?.destroy();
  }
}

/** Timed runs. The one before counts where there is no time for another. */
async function repeat(
  run: () => Promise<Outcome>,
  first: MeanShiftStats,
  {repeats, seconds}: {repeats: number; seconds: number},
): Promise<MeanShiftStats[]> {
  const budgetMs = seconds * 1000;
  if (2 * first.wallMs > budgetMs) return [first];
  const runs: MeanShiftStats[] = [];
  let spentMs = first.wallMs;
  while (runs.length < repeats && (runs.length === 0 || spentMs + first.wallMs <= budgetMs)) {
    const {stats} = await run();
    runs.push(stats);
    spentMs += stats.wallMs;
  }
  return runs;
}
