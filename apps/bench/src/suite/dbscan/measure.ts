import {
  cellKeyOf,
  medianPhases,
  REFERENCE,
  summarizeTimes,
  type CellMemory,
  type MeasuredDbscanCell,
  type Subject,
  type Verification,
} from '@epsball/benchmarks';
import {
  NOISE,
  pointCount,
  type DbscanAlgorithm,
  type DbscanResult,
  type DbscanStats,
  type PointSet,
} from '@epsball/clustering';
import {DEFINITION_LIMIT} from '@epsball/clustering/definition';
import {datasetHash} from '@epsball/datasets';
import {BACKENDS, catalogue} from '@epsball/dbscan';
import {openGpu} from '@epsball/gpu';
import {collectGarbage} from '../collectGarbage.ts';
import type {MeasureJob} from '../job.ts';
import {hashResult} from './hashResult.ts';
import {watchPeak} from './hostMemory.ts';
import {loadWorkload} from './loadWorkload.ts';

/** Short runs repeat up to this many times the profile's `repeats`, if the profile has no `repeatsMax`. */
const MORE_REPEATS = 5;
/** The same for warm-ups: V8 has compiled a run of 2 ms on many threads after about 200 runs. */
const MORE_WARMUPS = 200;

/** Points of the run that loads code, pipelines and drivers before anything is measured. */
const LOADING_RUN_POINTS = 1000;

/**
 * Measures one cell in this process: loads the data, runs, verifies the labels, and only then gives times.
 *
 * @throws Error  if the labels are wrong, or differ between two runs
 */
export async function measure(job: MeasureJob): Promise<MeasuredDbscanCell> {
  const {workload, subject} = job;
  const points = await loadWorkload(workload);
  const row = catalogue.find(({id}) => id === subject.row);
  const backend = BACKENDS.find((name) => name === subject.backend);
  if (row === undefined || backend === undefined)
    throw new Error(`no row ${subject.row}/${subject.backend} in the catalogue`);
  const gpu = backend === 'gpu' ? await openGpu({adapter: job.adapter}) : undefined;
  try {
    const key = cellKeyOf(workload, subject);
    const algorithm = await row.create({backend, gpu, threads: key.threads, options: key.options});
    try {
      const {runs, first, memory} = await runAll(algorithm, points, job);
      const labelsHash = hashResult(first);
      if (job.referenceHash !== null && labelsHash !== job.referenceHash) {
        throw new Error(
          `labels differ from the ${job.reference.row} variant’s (${labelsHash} instead of ${job.referenceHash})`,
        );
      }
      const verifiedAgainst =
        job.referenceHash === null ? await verifyReference(points, job, first) : [verifiedBy(job.reference)];
      if (job.pictureFile !== null) {
        const {drawClusters} = await import('../../report/dbscan/clusterPicture.ts');
        await drawClusters(points, first.labels, job.pictureFile);
      }
      return {
        ...describeRuns(runs),
        ...describeLabels(first),
        ...key,
        status: 'measured',
        precision: points.coords instanceof Float32Array ? 'float32' : 'float64',
        datasetHash: datasetHash(points),
        labelsHash,
        verifiedAgainst,
        memory,
        picture: null,
      };
    } finally {
      algorithm.destroy();
    }
  } finally {
    gpu?.destroy();
  }
}

interface Runs {
  /** The statistics of the timed runs. */
  readonly runs: readonly DbscanStats[];
  readonly first: DbscanResult;
  readonly memory: CellMemory;
}

/** A loading run, the warm-ups and the timed runs; the first full run is the one whose memory counts. */
async function runAll(algorithm: DbscanAlgorithm, points: PointSet, job: MeasureJob): Promise<Runs> {
  const {coords, dim} = points;
  await algorithm.run({coords: coords.subarray(0, LOADING_RUN_POINTS * dim), dim}, job.workload.params);
  await collectGarbage();
  const peak = watchPeak();
  const first = await algorithm.run(points, job.workload.params);
  const memory = describeMemory(peak(), first, pointCount(points));
  const hash = hashResult(first);
  const {warmups, cellSeconds, repeatSeconds = cellSeconds} = job;
  const isFirstCounted = warmups === 0 || first.stats.wallMs > (repeatSeconds * 1000) / 4;
  const runs: DbscanStats[] = isFirstCounted ? [first.stats] : [];
  let spentMs = first.stats.wallMs;
  if (!isFirstCounted) {
    for (let done = 1; needsWarmup(job, done, spentMs); done++) {
      spentMs += (await runAgain(algorithm, points, job, hash)).wallMs;
    }
  }
  let countedMs = isFirstCounted ? spentMs : 0;
  while (needsRepeat(job, runs, spentMs, countedMs)) {
    const stats = await runAgain(algorithm, points, job, hash);
    runs.push(stats);
    spentMs += stats.wallMs;
    countedMs += stats.wallMs;
  }
  return {runs, first, memory};
}

/** One more run, on a heap without the garbage of the one before. */
async function runAgain(
  algorithm: DbscanAlgorithm,
  points: PointSet,
  job: MeasureJob,
  hash: string,
): Promise<DbscanStats> {
  await collectGarbage();
  const result = await algorithm.run(points, job.workload.params);
  if (hashResult(result) !== hash) throw new Error('two runs gave different labels');
  return result.stats;
}

function needsWarmup(job: MeasureJob, done: number, spentMs: number): boolean {
  const {warmups, settleSeconds, warmSeconds = settleSeconds} = job;
  return done < warmups || (done < warmups * MORE_WARMUPS && spentMs < warmSeconds * 1000);
}

function needsRepeat(job: MeasureJob, runs: readonly DbscanStats[], spentMs: number, countedMs: number): boolean {
  const last = runs.at(-1);
  if (last === undefined) return true;
  const {repeats, repeatsMax = repeats * MORE_REPEATS, settleSeconds, cellSeconds, repeatSeconds = cellSeconds} = job;
  if (spentMs + last.wallMs > repeatSeconds * 1000) return false;
  return runs.length < repeats || (runs.length < repeatsMax && countedMs < settleSeconds * 1000);
}

function verifiedBy({row}: Subject): Verification {
  return row === REFERENCE.row ? 'sequential' : 'agreement';
}

/** Compares the reference with the O(n²) definition where that is affordable. */
async function verifyReference(points: PointSet, job: MeasureJob, result: DbscanResult): Promise<Verification[]> {
  if (pointCount(points) > DEFINITION_LIMIT) return ['reference'];
  const {dbscanOracle} = await import('@epsball/conformance');
  if (hashResult(dbscanOracle(points, job.workload.params)) !== hashResult(result)) {
    throw new Error(`labels of the ${job.reference.row} variant differ from the O(n²) definition`);
  }
  return ['definition'];
}

function describeMemory(risenBytes: number | null, result: DbscanResult, n: number): CellMemory {
  const {labels, coreMask, stats} = result;
  const hostBytes = risenBytes === null ? null : Math.max(0, risenBytes - labels.byteLength - coreMask.byteLength);
  const deviceBytes = stats.deviceBytes ?? null;
  return {
    hostBytes,
    hostBytesPerPoint: hostBytes === null || n === 0 ? null : hostBytes / n,
    deviceBytes,
    deviceBytesPerPoint: deviceBytes === null || n === 0 ? null : deviceBytes / n,
  };
}

function describeRuns(
  runs: readonly DbscanStats[],
): Pick<MeasuredDbscanCell, 'wall' | 'device' | 'phaseMs' | 'devicePhaseMs' | 'counters'> {
  const deviceMs = runs.flatMap((run) => run.deviceMs ?? []);
  const devicePhases = runs.flatMap((run) => run.devicePhaseMs ?? []);
  return {
    wall: summarizeTimes(runs.map((run) => run.wallMs)),
    device: deviceMs.length === runs.length ? summarizeTimes(deviceMs) : null,
    phaseMs: medianPhases(runs.map((run) => run.phaseMs)),
    devicePhaseMs: devicePhases.length === runs.length ? medianPhases(devicePhases) : null,
    counters: runs[0].counters,
  };
}

function describeLabels({
  labels,
  coreMask,
  clusterCount,
}: DbscanResult): Pick<MeasuredDbscanCell, 'clusterCount' | 'noiseCount' | 'coreCount'> {
  let noiseCount = 0;
  let coreCount = 0;
  for (let i = 0; i < labels.length; i++) {
    if (labels[i] === NOISE) noiseCount++;
    coreCount += coreMask[i];
  }
  return {clusterCount, noiseCount, coreCount};
}
