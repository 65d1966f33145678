import {createHash} from 'node:crypto';
import {nameSubject, type Workload} from '@epsball/benchmarks';
import {
  NOISE,
  pointCount,
  type DbscanAlgorithm,
  type DbscanOutputOptions,
  type DbscanResult,
  type DbscanRunOptions,
  type PointSet,
} from '@epsball/clustering';
import {DEFINITION_LIMIT} from '@epsball/clustering/definition';
import {datasetHash, generateDataset, latticeBlockLabels} from '@epsball/datasets';
import {BACKENDS, catalogue} from '@epsball/dbscan';
import {openGpu} from '@epsball/gpu';
import type {CellJob} from '../run/job.ts';
import {watchPeak} from './hostMemory.ts';
import {InDeviceMemory} from './inDeviceMemory.ts';
import {collectGarbage, describeRuns, repeatRuns, type Measured} from './measureCell.ts';

/** Points of the run that loads code, pipelines and drivers before anything is measured. */
const LOADING_RUN_POINTS = 1000;

/**
 * Loads the data, runs, verifies the labels, and only then gives times.
 *
 * @throws Error  if the labels are wrong, or differ between two runs
 */
export async function measureDbscan(job: CellJob): Promise<Measured> {
  const {workload, subject} = job;
  const points = await loadWorkload(workload);
  const row = catalogue.find(({id}) => id === subject.row);
  const backend = BACKENDS.find((name) => name === subject.backend);
  if (row === undefined || backend === undefined) throw new Error(`no row ${nameSubject(subject)} in the catalogue`);
  const gpu = backend === 'gpu' ? await openGpu({adapter: job.adapter}) : undefined;
  try {
    const {memory, ...options} = subject.options ?? {};
    const algorithm =
      gpu && memory === 'device'
        ? await InDeviceMemory.create(row, gpu)
        : await row.create({backend, gpu, threads: subject.threads ?? 1, options});
    try {
      return await measure(algorithm, points, job);
    } finally {
      algorithm.destroy();
    }
  } finally {
    gpu?.destroy();
  }
}

async function measure(algorithm: Pick<DbscanAlgorithm, 'run'>, points: PointSet, job: CellJob): Promise<Measured> {
  const {coords, dim} = points;
  const params = paramsOf(job.workload);
  await algorithm.run({coords: coords.subarray(0, LOADING_RUN_POINTS * dim), dim}, params);
  await collectGarbage();
  const peak = watchPeak();
  const first = await algorithm.run(points, params);
  const risen = peak();
  const hash = hashResult(first);
  // The GPU reads back into an array that the caller keeps, as in CUDA programs: a new one costs its first touch.
  const output: DbscanRunOptions & DbscanOutputOptions = job.subject.backend === 'gpu' ? {labels: first.labels} : {};
  const runs = await repeatRuns(first.stats, job.profile, async () => {
    const result = await algorithm.run(points, params, output);
    if (hashResult(result) !== hash) throw new Error('two runs gave different labels');
    return result.stats;
  });
  const {labels, coreMask, clusterCount, stats} = first;
  const verified = await verify(points, hash, job);
  if (job.pictureFile !== null) {
    const {drawClusters} = await import('./clusterPicture.ts');
    await drawClusters(points, labels, job.pictureFile);
  }
  return {
    ...describeRuns(runs),
    verified,
    points: datasetHash(points),
    labels: hash,
    clusters: clusterCount,
    noise: labels.reduce((count, label) => count + (label === NOISE ? 1 : 0), 0),
    hostBytes: risen === null ? null : Math.max(0, risen - labels.byteLength - coreMask.byteLength),
    deviceBytes: stats.deviceBytes ?? null,
  };
}

/**
 * Compares labels with those of the reference, and the reference with known labels, or with the O(n²) definition if
 * that is affordable.
 */
async function verify(
  points: PointSet,
  hash: string,
  {reference, referenceHash, workload}: CellJob,
): Promise<string[]> {
  const name = reference === null ? 'the reference' : `the ${reference.row} variant`;
  if (referenceHash !== null) {
    if (hash !== referenceHash) throw new Error(`labels differ from ${name}’s (${hash} instead of ${referenceHash})`);
    return [reference?.row === 'sequential' ? 'sequential' : 'agreement'];
  }
  const known = await definedResult(points, workload);
  if (known === undefined) return ['reference'];
  if (hashResult(known) !== hash) throw new Error(`labels of ${name} differ from the definition`);
  return ['definition'];
}

/** Returns the result of the definition, or undefined if it is unknown and too expensive to compute. */
async function definedResult(
  points: PointSet,
  workload: Workload,
): Promise<Pick<DbscanResult, 'labels' | 'coreMask'> | undefined> {
  const {dataset, n, dim} = workload;
  const {eps, minPts} = paramsOf(workload);
  if (/^lattice[23]d:/.test(dataset) && eps === 1 && minPts === 2) {
    const labels = latticeBlockLabels({n, dim});
    const coreMask = new Uint8Array(n);
    // `Uint8Array.from` with a function ends the process from 112 million elements on.
    for (let i = 0; i < n; i++) coreMask[i] = Number(labels[i] !== NOISE);
    return {labels, coreMask};
  }
  if (pointCount(points) > DEFINITION_LIMIT) return undefined;
  const {dbscanOracle} = await import('@epsball/conformance');
  return dbscanOracle(points, {eps, minPts});
}

function paramsOf({params: {eps, minPts}}: Workload): {eps: number; minPts: number} {
  return {eps, minPts};
}

/** First 16 hex digits of the SHA-256 over labels and core mask. */
export function hashResult({labels, coreMask}: Pick<DbscanResult, 'labels' | 'coreMask'>): string {
  return createHash('sha256').update(labels).update(coreMask).digest('hex').slice(0, 16);
}

/**
 * The points of a workload: generated, the places of GeoNames, or a file of `scripts/make_sets.py` in the folder that
 * EPSBALL_PEER_SETS names.
 *
 * @throws InvalidParameterError  if the specification is unknown
 * @throws Error                  if the data does not have the size that the suite states
 */
export async function loadWorkload({dataset, n, dim}: Pick<Workload, 'dataset' | 'n' | 'dim'>): Promise<PointSet> {
  const points = await loadPoints(dataset);
  if (pointCount(points) !== n || points.dim !== dim) {
    throw new Error(`${dataset}: ${pointCount(points)} points of ${points.dim} coordinates; expected ${n} of ${dim}`);
  }
  return points;
}

async function loadPoints(dataset: string): Promise<PointSet> {
  if (dataset === 'cities') return (await import('@epsball/datasets/cities')).cities();
  if (!dataset.startsWith('npy:')) return generateDataset(dataset);
  const folder = process.env['EPSBALL_PEER_SETS'];
  if (folder === undefined) throw new Error('EPSBALL_PEER_SETS names no folder of make_sets.py');
  const {readPoints} = await import('@epsball/datasets');
  return readPoints(`${folder}/${dataset.slice('npy:'.length)}.npy`);
}
