import type {Backend} from '@epsball/clustering/catalogue';
import * as measured from './crossovers.ts';

/** What is known of a run before a backend is chosen. */
export interface RunSize {
  readonly n: number;
  readonly dim: number;
  /** Worker threads that the caller wants. Default: one per processor. */
  readonly threads?: number | undefined;
  /** Default: those of this machine. */
  readonly processors?: number | undefined;
  /** Mean number of candidates of a point (`estimateCandidates`). Default: unknown. */
  readonly candidates?: number | undefined;
  /** Whether threads and device serve this run only, so that their start counts. */
  readonly isOneShot: boolean;
  /** Whether the last dimension is of time. Default: false. */
  readonly isInTime?: boolean | undefined;
}

/** Maximum dimensions of a grid, and of a k-d tree. Beyond, all pairs are tested. */
export const GRID_DIM = 4;
const TREE_DIM = 64;

function predictMs({
  n,
  dim,
  threads,
  processors = ownProcessors(),
  candidates = 0,
  isOneShot,
}: RunSize): Readonly<Record<Backend, number>> {
  const pairCoordinates = n * n * dim;
  const share = dim > GRID_DIM || candidates < measured.DENSE_CANDIDATES ? 1 : measured.DENSE_SHARE;
  const hasTree = dim > GRID_DIM && dim <= TREE_DIM;
  const growth = hasTree ? Math.max(1, n / measured.TREE_POINTS) ** measured.TREE_GROWTH : 1;
  const ofPoints = n * growth * share * measured.POINT_NS[Math.min(dim, measured.POINT_NS.length - 1)];
  const sequential = (dim <= TREE_DIM ? ofPoints : measured.PAIR_COORDINATE_NS * pairCoordinates) / 1e6;
  const working = Math.min(threads ?? processors, processors);
  const byIndex = dim <= GRID_DIM ? measured.GRID_THREADS_MS : hasTree ? measured.TREE_THREADS_MS : 0;
  const ofThreads =
    measured.THREAD_RUN_MS * working + byIndex + sequential / (1 + measured.THREAD_GAIN * (working - 1));
  const ofIndex = n * (dim <= GRID_DIM ? measured.GPU_COORDINATE_NS * dim : measured.GPU_POINT_NS);
  const ofPairs = measured.GPU_COORDINATE_NS * n * dim + measured.GPU_PAIR_COORDINATE_NS * pairCoordinates;
  const ofGpu = measured.GPU_RUN_MS + (dim <= TREE_DIM ? ofIndex : ofPairs) / 1e6;
  if (!isOneShot) return {sequential, workers: ofThreads, gpu: ofGpu};
  const threadsCold = measured.THREADS_COLD_SHARE * Math.min(sequential, measured.THREADS_COLD_WORK_MS);
  return {
    sequential: sequential + measured.SEQUENTIAL_COLD_MS,
    workers: ofThreads + measured.THREADS_START_MS + measured.THREAD_START_MS * working + threadsCold,
    gpu: ofGpu + measured.GPU_START_MS,
  };
}

/** The number of points from which a kept instance tries a GPU. */
export function gpuPaysFrom(dim: number): number {
  return dim <= GRID_DIM ? measured.GPU_PAYS_FROM : measured.GPU_PAYS_FROM_WIDE;
}

/**
 * The backends by expected time, shortest first. A kept instance takes a GPU from `gpuPaysFrom` points on; below, the
 * GPU comes last.
 */
export function backendOrder(size: RunSize): readonly Backend[] {
  const ms = predictMs(size);
  const takesGpu = size.isOneShot || size.n >= gpuPaysFrom(size.dim);
  const order = (['sequential', 'workers'] as const).toSorted((a, b) => ms[a] - ms[b]);
  if (!takesGpu) return [...order, 'gpu'];
  return (['gpu', ...order] as const).toSorted((a, b) => ms[a] - ms[b]);
}

export interface BackendRange {
  readonly backend: Backend;
  readonly from: number;
}

/** Numbers of points at which `backendRanges` looks, as powers of this. */
const STEP = 2 ** 0.125;
const POINTS_MAX = 1e9;

/**
 * The backends that `auto` takes, by number of points.
 *
 * @param size         everything that is known of a run but the number of points
 * @param hasHardware  whether there is a hardware GPU
 * @returns            ranges in ascending order; their starts are accurate to about 10 %
 */
export function backendRanges(size: Omit<RunSize, 'n'>, hasHardware: boolean): readonly BackendRange[] {
  const ranges: BackendRange[] = [];
  for (let points = 1; points < POINTS_MAX; points *= STEP) {
    const n = Number(points.toPrecision(2));
    const [backend] = backendOrder({...size, n}).filter((one) => hasHardware || one !== 'gpu');
    if (ranges.at(-1)?.backend !== backend) ranges.push({backend, from: n});
  }
  return ranges;
}

function ownProcessors(): number {
  // Old browsers lack it.
  return globalThis.navigator?.hardwareConcurrency ?? 1;
}

/**
 * The reason of an automatic choice. For a variant that the caller named, the times would be those of other variants.
 */
export function explainBackend(backend: Backend, size: RunSize, algorithm: string): string {
  if (algorithm !== 'auto') {
    const points = `${size.n.toLocaleString('en-US')} points in ${size.dim}-D`;
    return `first in the order for ${points} that ${algorithm} runs on; its time is not estimated`;
  }
  const ms = predictMs(size);
  const names = {
    sequential: 'the calling thread',
    workers: `worker threads (${size.processors ?? ownProcessors()} processors)`,
    gpu: 'a GPU',
  };
  const others = (['sequential', 'workers', 'gpu'] as const).filter((one) => one !== backend);
  const start = size.isOneShot ? 'start included' : 'when warm';
  const expected = others.map((one) => `${format(ms[one])} on ${names[one]}`).join(', ');
  return `${format(ms[backend])} expected on ${names[backend]}, ${expected}; ${start}`;
}

function format(ms: number): string {
  return ms < 10 ? `${ms.toPrecision(1)} ms` : ms < 10_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 1000)} s`;
}
