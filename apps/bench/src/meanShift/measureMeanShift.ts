import {isOurs, runsOnGpu, summarizeTimes, type MeasuredMeanShiftCell} from '@epsball/benchmarks';
import {pointCount, type PointSet} from '@epsball/clustering';
import {generateDataset} from '@epsball/datasets';
import {openGpu, type Gpu} from '@epsball/gpu';
import {createShiftSequential, type MeanShiftResult, type MeanShiftStats} from '@epsball/mean-shift';
import type {MeanShiftJob} from './job.ts';

/** Points whose way is walked again by the float64 reference. */
const SAMPLE = 40;

/** Backends agree to this part of a bandwidth after all iterations. */
const AGREEMENT = 1e-4;

/** A climb that was cut, and stopped when it had arrived, ends so near to the reference's end; but for a few on watersheds. */
const OURS_AGREEMENT = 0.1;
const OURS_SHARE = 0.9;

/** Points of the run that loads code, pipelines and drivers before anything is measured. */
const LOADING_RUN_POINTS = 200;

type Outcome = Pick<MeanShiftResult, 'shifted' | 'iterations' | 'stats'> & {readonly clusters: number | null};

/** One way to shift points, ready to run. */
interface Method {
  run(points: PointSet): Promise<Outcome>;
  destroy(): void;
}

/**
 * Measures one cell in this process: makes the data, runs, compares a sample with the reference, and only then gives times.
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
      const {error, verified} = await verify(points, first, job);
      const runs = await repeat(() => opened.run(points), first.stats, {
        repeats: gpu === undefined ? profile.repeats : profile.deviceRepeats,
        seconds: profile.cellSeconds,
      });
      const device = runs.flatMap(({deviceMs}) => deviceMs ?? []);
      return {
        status: 'measured',
        method,
        threads,
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

async function openMethod({suite, method, threads, tileWidth}: MeanShiftJob, gpu: Gpu | undefined): Promise<Method> {
  const {bandwidth, iterations: maxIterations, ours} = suite;
  if (isOurs(method)) {
    const meanShift = await openOurs(method, gpu);
    return {
      run: async (points) => {
        const {shifted, iterations, stats, clusterCenters} = await meanShift.run(points, ours);
        return {shifted, iterations, stats, clusters: clusterCenters.length / points.dim};
      },
      destroy: () => meanShift.destroy(),
    };
  }
  const shift = await openShift({method, threads, tileWidth}, gpu);
  return {
    run: async (points) => ({...(await shift.shift(points, {bandwidth, maxIterations})), clusters: null}),
    destroy: () => shift.destroy(),
  };
}

async function openOurs(method: MeanShiftJob['method'], gpu: Gpu | undefined) {
  if (gpu !== undefined) return (await import('@epsball/mean-shift/gpu')).createMeanShiftGpu(gpu);
  if (method === 'ours-workers') return (await import('@epsball/mean-shift/workers')).createMeanShiftWorkers();
  return (await import('@epsball/mean-shift')).createMeanShiftSequential();
}

async function openShift(
  {method, threads, tileWidth}: Pick<MeanShiftJob, 'method' | 'threads' | 'tileWidth'>,
  gpu: Gpu | undefined,
) {
  if (gpu !== undefined) {
    const {createShiftGpu} = await import('@epsball/mean-shift/gpu');
    return method === 'naive'
      ? createShiftGpu(gpu, {method})
      : createShiftGpu(gpu, {method: 'tiled', tileWidth: tileWidth ?? undefined});
  }
  if (method === 'workers') return (await import('@epsball/mean-shift/workers')).createShiftWorkers({threads});
  return createShiftSequential();
}

/** Walks a sample of the points again, in float64 and over all points. */
async function verify(
  points: PointSet,
  {shifted}: Outcome,
  {suite, method}: MeanShiftJob,
): Promise<{error: number; verified: string}> {
  const {coords, dim} = points;
  const n = pointCount(points);
  const count = Math.min(SAMPLE, n);
  const chosen = Array.from({length: count}, (_, k) => Math.floor((k * n) / count));
  const seeds = {coords: Float64Array.from(chosen.flatMap((i) => [...coords.subarray(dim * i, dim * i + dim)])), dim};
  using reference = createShiftSequential();
  const {bandwidth} = isOurs(method) ? suite.ours : suite;
  const params = isOurs(method)
    ? {bandwidth, maxIterations: 300, tolerance: bandwidth / 1000}
    : {bandwidth, maxIterations: suite.iterations};
  const expected = await reference.shift(points, params, {seeds});
  const errors = chosen.map((i, k) => {
    const squares = Array.from({length: dim}, (_, d) => (shifted[dim * i + d] - expected.shifted[dim * k + d]) ** 2);
    return Math.sqrt(squares.reduce((sum, square) => sum + square, 0)) / bandwidth;
  });
  errors.sort((a, b) => a - b);
  const rank = isOurs(method) ? Math.ceil(OURS_SHARE * count) - 1 : count - 1;
  const error = errors[rank];
  const limit = isOurs(method) ? OURS_AGREEMENT : AGREEMENT;
  if (!(error <= limit))
    throw new Error(`a point is ${error} bandwidths from the reference; expected at most ${limit}`);
  const share = isOurs(method) ? `${100 * OURS_SHARE} % of ` : '';
  return {error, verified: `${share}${count} points within ${limit} bandwidths of float64 over all points`};
}
