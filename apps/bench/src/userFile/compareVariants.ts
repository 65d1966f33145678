import {availableParallelism} from 'node:os';
import {medianOf} from '@epsball/benchmarks';
import {formatCount, formatMs} from '@epsball/cli/command';
import type {DbscanParams, PointSet} from '@epsball/clustering';
import {catalogue, type Backend} from '@epsball/dbscan';
import {openGpu, type AdapterChoice, type Gpu} from '@epsball/gpu';
import {adapterOf} from '../run/adapter.ts';
import {hashResult} from '../measure/dbscan.ts';
import {onlyFilter} from '../run/only.ts';
import {BenchProgress} from '../run/progress.ts';

/** One variant on one backend on the points of a file. */
export interface VariantRun {
  /** `dense-grid/gpu` */
  readonly name: string;
  readonly row: string;
  /** `same` and `differs`: its labels beside those of the first variant that ran. */
  readonly outcome: 'same' | 'differs' | 'failed' | 'left out';
  /** Why it failed or was left out. */
  readonly reason: string;
  /** Median of the counted runs; null where none ended. */
  readonly ms: number | null;
  readonly clusters: number;
  readonly noise: number;
}

export interface CompareVariantsOptions {
  readonly params: DbscanParams;
  /** As `onlyFilter` takes them; empty = all. */
  readonly only: readonly string[];
  readonly repeats: number;
  /** Default: hardware only, because a software adapter says nothing of a GPU's speed. */
  readonly adapter?: AdapterChoice | undefined;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/**
 * Runs every variant and backend of the catalogue on one set of points, one after the other: one run that does not
 * count, then the counted ones. Labels must be those of the first variant, to the byte.
 *
 * @param points  not modified
 * @returns       one entry a variant and backend that takes the dimensions, and the name of the adapter
 * @throws the signal's reason  if `signal` fires
 */
export async function compareVariants(
  points: PointSet,
  {params, only, repeats, adapter, signal, log}: CompareVariantsOptions,
): Promise<{runs: VariantRun[]; gpuName: string | null}> {
  const wanted = onlyFilter(only);
  const subjects = catalogue.flatMap((row) =>
    row.backends
      .filter((backend) => (row.on[backend]?.maxDim ?? 0) >= points.dim)
      .filter((backend) => wanted({names: [row.id, `${row.id}/${backend}`], backend, n: 0}))
      .map((backend) => ({row, backend})),
  );
  const needsGpu = subjects.some(({backend}) => backend === 'gpu');
  // A text: why there is none.
  const opened = needsGpu ? await openGpu({adapter: adapter ?? 'hardware'}).catch(textOf) : 'not needed';
  const gpu = typeof opened === 'string' ? undefined : opened;
  const runs: VariantRun[] = [];
  const progress = new BenchProgress(subjects.length, Infinity);
  const say = (line: string): void => progress.writeAbove(() => log(line));
  let expected: string | null = null;
  try {
    for (const {row, backend} of subjects) {
      const name = `${row.id}/${backend}`;
      const empty = {name, row: row.id, ms: null, clusters: 0, noise: 0};
      if (backend === 'gpu' && typeof opened === 'string') {
        runs.push({...empty, outcome: 'left out', reason: opened});
        progress.finish(false);
        continue;
      }
      progress.start(name);
      try {
        const run = await timeVariant(points, params, {row, backend, gpu, repeats, signal});
        expected ??= run.hash;
        const outcome = run.hash === expected ? 'same' : 'differs';
        runs.push({...empty, ...run, outcome, reason: ''});
        const time = formatMs(run.ms).padStart(8);
        say(`${name.padEnd(24)}  ${time}  ${formatCount(run.clusters)} clusters  labels ${outcome}`);
      } catch (error) {
        signal.throwIfAborted();
        const reason = textOf(error);
        runs.push({...empty, outcome: 'failed', reason});
        say(`${name.padEnd(24)}  FAILED: ${reason}`);
      }
      progress.finish(true);
    }
    return {runs, gpuName: gpu === undefined ? null : (await adapterOf(adapter ?? 'hardware')).name};
  } finally {
    progress.end();
    gpu?.destroy();
  }
}

interface Subject {
  readonly row: (typeof catalogue)[number];
  readonly backend: Backend;
  readonly gpu: Gpu | undefined;
  readonly repeats: number;
  readonly signal: AbortSignal;
}

async function timeVariant(
  points: PointSet,
  params: DbscanParams,
  {row, backend, gpu, repeats, signal}: Subject,
): Promise<{ms: number; hash: string; clusters: number; noise: number}> {
  const algorithm = await row.create({backend, gpu, threads: availableParallelism(), options: {}});
  try {
    const first = await algorithm.run(points, params, {signal});
    const times: number[] = [];
    while (times.length < repeats) times.push((await algorithm.run(points, params, {signal})).stats.wallMs);
    const noise = first.labels.reduce((sum, label) => sum + (label < 0 ? 1 : 0), 0);
    return {ms: medianOf(times), hash: hashResult(first), clusters: first.clusterCount, noise};
  } finally {
    algorithm.destroy();
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
