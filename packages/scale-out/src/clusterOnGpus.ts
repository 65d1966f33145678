import {existsSync} from 'node:fs';
import {mkdtemp, rm, statfs} from 'node:fs/promises';
import {availableParallelism, tmpdir} from 'node:os';
import {join} from 'node:path';
import {checkKnownOptions, pointCount, validatePointShape, type DbscanParams, type PointSet} from '@epsball/clustering';
import {memoryBytes, writePoints} from '@epsball/datasets';
import {checkGpus, checkInteger, checkSignal} from './checks.ts';
import {createRun} from './createRun.ts';
import type {GpuPlace} from './gpus/gpuProcesses.ts';
import {MEMORY_MIN} from './memory.ts';
import {labelRanges, runResult} from './results.ts';
import type {RunFiles} from './runFiles.ts';
import {runLocally, type StageProgress} from './runLocally.ts';
import type {StageTimes} from './taskTimes.ts';

/** A file system in memory. */
const MEMORY_DISK = '/dev/shm';
/** Maximum bytes of a task. A larger tile saves little halo and exceeds the limits of some devices. */
const TASK_BYTES_MAX = 2e9;
/** Bytes that a run writes for each point, without the coordinates: rows, halo, reports and labels. */
const WRITTEN_BYTES = 32;

export interface ClusterOnGpusOptions extends Pick<DbscanParams, 'eps' | 'minPts'> {
  /** As `hostGpus` returns them: a process for each. */
  readonly gpus: readonly GpuPlace[];
  /** Tasks at a time, at least one for each of `gpus`. Default: one per processor. */
  readonly concurrency?: number | undefined;
  /** A variant of `dbscan()`. Default: `auto`. */
  readonly algorithm?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: StageProgress) => void) | undefined;
  /** Called after each stage, with what it took. */
  readonly onStage?: ((times: StageTimes) => void) | undefined;
}

/** The labels of one run of `dbscan()` over all points. */
export interface ClusteredOnGpus {
  readonly labels: Int32Array;
  readonly coreMask: Uint8Array;
  readonly clusterCount: number;
  readonly tileCount: number;
}

/**
 * Clusters points in memory on several GPUs of this host. The processes read the points from files, which are in
 * memory if they fit.
 *
 * @param points  not modified
 * @throws InvalidParameterError, InvalidPointsError  as `dbscan()`
 * @throws the error of the first task that fails
 */
export async function clusterOnGpus(points: PointSet, options: ClusterOnGpusOptions): Promise<ClusteredOnGpus> {
  const known = ['eps', 'minPts', 'gpus', 'concurrency', 'algorithm', 'signal', 'onProgress', 'onStage'];
  checkKnownOptions(options, known, 'options', '{eps, minPts, gpus}');
  const {eps, minPts, gpus, algorithm = 'auto', signal, onProgress, onStage} = options;
  validatePointShape(points);
  checkGpus(gpus);
  checkInteger('concurrency', options.concurrency);
  checkSignal(signal);
  const concurrency = Math.max(options.concurrency ?? availableParallelism(), gpus.length);
  const folder = await mkdtemp(join(await diskFor(points), 'epsball-gpus-'));
  try {
    const input = join(folder, 'points.npy');
    await writePoints(input, points);
    const taskBytes = Math.max(MEMORY_MIN, Math.min(TASK_BYTES_MAX, memoryBytes() / 2 / concurrency));
    const run = await createRun({
      eps,
      minPts,
      input,
      work: folder,
      name: 'run',
      memoryBytes: taskBytes * concurrency,
      concurrency,
      tile: {backend: 'gpu', algorithm},
    });
    await runLocally(run, {concurrency, gpus, signal, onProgress, onStage});
    return await readLabels(run);
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

async function diskFor(points: PointSet): Promise<string> {
  if (!existsSync(MEMORY_DISK)) return tmpdir();
  const needed = 2 * points.coords.byteLength + WRITTEN_BYTES * pointCount(points);
  const {bavail, bsize} = await statfs(MEMORY_DISK);
  return bavail * bsize > 1.5 * needed ? MEMORY_DISK : tmpdir();
}

async function readLabels(run: RunFiles): Promise<ClusteredOnGpus> {
  const {rowCount, clusterCount, tileCount} = await runResult(run);
  const labels = new Int32Array(rowCount);
  const coreMask = new Uint8Array(rowCount);
  for await (const range of labelRanges(run)) {
    labels.set(range.labels, range.firstRow);
    coreMask.set(range.coreMask, range.firstRow);
  }
  return {labels, coreMask, clusterCount, tileCount};
}
