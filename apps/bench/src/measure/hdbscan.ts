import {InvalidParameterError, pointCount, type PointSet} from '@epsball/clustering';
import {summarizeTimes} from '@epsball/benchmarks';
import {createHdbscan, type Hdbscan, type HdbscanRequest, type HdbscanResult} from '@epsball/hdbscan';
import type {CellJob} from '../run/job.ts';
import {loadWorkload} from './dbscan.ts';
import {watchPeak} from './hostMemory.ts';
import {collectGarbage, describeRuns, repeatRuns, type Measured} from './measureCell.ts';
import {openR} from './r.ts';

/** Products of all pairs that a processor takes a minute for. */
const PRODUCTS_MAX = 2 ** 34;

/**
 * Coordinates of the run that loads the code: points of the plane for a chunk on each of 16 threads, which start then.
 * More would hide memory that the process keeps.
 */
const LOADING_RUN_COORDS = 2 ** 16;

type Ours = 'sequential' | 'workers' | 'gpu';

/**
 * Makes the data, runs, compares the result, and only then gives times.
 *
 * @throws Error  if a result differs
 */
export async function measureHdbscan(job: CellJob): Promise<Measured> {
  const {workload, subject, adapter, profile} = job;
  const points = await loadWorkload(workload);
  if (subject.row === 'R') return measureR(points, workload.params);
  const backend = backendOf(subject.backend);
  using hdbscan = await createHdbscan(backend === 'gpu' ? {backend, adapter} : {backend});
  const params = paramsOf(workload.params);
  await hdbscan.run(
    {...points, coords: points.coords.subarray(0, LOADING_RUN_COORDS - (LOADING_RUN_COORDS % points.dim))},
    params,
  );
  await collectGarbage();
  const peak = watchPeak();
  const first = await hdbscan.run(points, params);
  const hostBytes = peak();
  const other = backend === 'workers' ? 'sequential' : 'workers';
  const isLong = points.dim > 16 && points.dim * pointCount(points) ** 2 > PRODUCTS_MAX;
  if (isLong) compareResults(await runReversed(hdbscan, points, params), first);
  else compareResults(await runOnce(points, other, workload.params), first);
  const runs = await repeatRuns(first.stats, profile, async () => (await hdbscan.run(points, params)).stats);
  return {
    ...describeRuns(runs),
    clusters: first.clusterCount,
    verified: [`all numbers equal ${isLong ? 'those of the opposite order' : `the backend ${other}`}`],
    hostBytes,
    deviceBytes: first.stats.deviceBytes ?? null,
  };
}

function backendOf(name: string): Ours {
  if (name === 'sequential' || name === 'workers' || name === 'gpu') return name;
  throw new InvalidParameterError('backend', name, 'sequential, workers or gpu');
}

async function measureR(points: PointSet, params: Readonly<Record<string, number>>): Promise<Measured> {
  using r = openR();
  const theirs = await r.run(points, params['minSamples']);
  const ours = await runOnce(points, 'sequential', params);
  const edges = countEqual(theirs.heights, ours.hierarchy.treeSquared.map(Math.sqrt));
  const cores = countEqual(theirs.cores, ours.hierarchy.coreSquared.map(Math.sqrt).sort());
  const n = theirs.cores.length;
  if (edges < n - 1 || cores < n) {
    throw new Error(`R: ${edges} tree weights and ${cores} core distances of ${n} points equal ours`);
  }
  return {
    wall: summarizeTimes([theirs.wallMs]),
    verified: ['core distances and tree weights equal ours, to the bit', `R package dbscan ${r.version}`],
  };
}

async function runOnce(
  points: PointSet,
  backend: 'sequential' | 'workers',
  params: Readonly<Record<string, number>>,
): Promise<HdbscanResult> {
  using hdbscan = await createHdbscan({backend});
  return await hdbscan.run(points, paramsOf(params));
}

/** The result for points in the opposite order, in the order of the points. */
async function runReversed(hdbscan: Hdbscan, {coords, dim}: PointSet, params: HdbscanRequest): Promise<HdbscanResult> {
  const reversed = coords.slice();
  for (let at = 0; at < coords.length; at += dim) {
    reversed.set(coords.subarray(at, at + dim), coords.length - dim - at);
  }
  const result = await hdbscan.run({coords: reversed, dim}, params);
  const numbers = new Map<number, number>([[-1, -1]]);
  return {
    ...result,
    labels: result.labels.toReversed().map((label) => {
      const number = numbers.get(label) ?? numbers.size - 1;
      numbers.set(label, number);
      return number;
    }),
    probabilities: result.probabilities.toReversed(),
    outlierScores: result.outlierScores.toReversed(),
    hierarchy: {...result.hierarchy, coreSquared: result.hierarchy.coreSquared.toReversed()},
  };
}

function paramsOf({minClusterSize, minSamples, cosine}: Readonly<Record<string, number>>): HdbscanRequest {
  return {minClusterSize, minSamples, metric: cosine === 1 ? 'cosine' : 'euclidean'};
}

/** @throws Error  if two results differ */
export function compareResults(expected: HdbscanResult, actual: HdbscanResult): void {
  const [theirs, ours] = [expected, actual].map(({hierarchy, ...result}) => ({...result, ...hierarchy}));
  for (const name of ['labels', 'probabilities', 'outlierScores', 'coreSquared', 'treeSquared'] as const) {
    const differs = countEqual(ours[name], theirs[name]) !== theirs[name].length;
    if (differs) throw new Error(`${name} differ from another backend`);
  }
}

function countEqual(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let equal = 0;
  for (let k = 0; k < a.length; k++) if (a[k] === b[k]) equal++;
  return equal;
}
