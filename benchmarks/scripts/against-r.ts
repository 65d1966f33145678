// Usage: against-r.ts [DATASET]. Times one thread of `pds` and of `dense-grid`, all threads of `pds`, and
// dbscan::dbscan of R (its k-d tree) on the same points, in turn, and prints a table. Needs Rscript and R's package
// dbscan. DATASET: only data sets whose names begin with it. R numbers clusters otherwise and gives a border point to
// another of its clusters, so noise and number of clusters are compared; exits with 1 if they differ.
import {mkdtemp, readFile, rm} from 'node:fs/promises';
import {cpus, tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {DbscanParams, PointSet} from '@epsball/clustering';
import {generateDataset, writePoints} from '@epsball/datasets';
import {createDbscan, type CreateDbscanOptions} from '@epsball/dbscan';
import {summarizeTimes} from '../src/statistics.ts';
import {startPeer} from './peer.ts';

interface Workload {
  readonly dataset: string;
  readonly params: DbscanParams;
}

const WORKLOADS: readonly Workload[] = [
  {dataset: 'uniform:n=200000,dim=2,seed=1', params: {eps: 0.00309, minPts: 5}},
  {dataset: 'tweets:n=200000,seed=1', params: {eps: 0.01, minPts: 40}},
  {dataset: 'spots:n=200000,dim=3,seed=1', params: {eps: 0.00874, minPts: 10}},
  {dataset: 'gaussians:n=50000,dim=8,seed=1', params: {eps: 0.05, minPts: 4}},
  {dataset: 'gaussians:n=100000,dim=8,seed=1', params: {eps: 0.05, minPts: 4}},
  {dataset: 'gaussians:n=50000,dim=16,seed=1', params: {eps: 0.1, minPts: 4}},
];

interface Contestant {
  readonly name: string;
  readonly maxDim: number;
  readonly options: CreateDbscanOptions;
}

const CONTESTANTS: readonly Contestant[] = [
  {name: 'pds, calling thread', maxDim: 64, options: {algorithm: 'pds', backend: 'sequential'}},
  {name: 'dense-grid, the same', maxDim: 4, options: {algorithm: 'dense-grid', backend: 'sequential'}},
  {name: 'pds, all threads', maxDim: 64, options: {algorithm: 'pds', backend: 'workers'}},
];

const REPEATS = 3;

const script = fileURLToPath(new URL('./r_time.R', import.meta.url));
process.stdout.write(`${cpus()[0]?.model.trim() ?? 'unknown processor'}, Node ${process.version}\n`);
for (const workload of WORKLOADS.filter(({dataset}) => dataset.startsWith(process.argv[2] ?? ''))) {
  await compare(workload);
}

async function compare({dataset, params}: Workload): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'epsball-against-'));
  try {
    const points = generateDataset(dataset);
    const [pointsFile, labelsFile] = [join(folder, 'points.f64'), join(folder, 'labels')];
    await writePoints(pointsFile, {coords: Float64Array.from(points.coords), dim: points.dim});
    const args = [pointsFile, points.dim, params.eps, params.minPts, labelsFile].map(String);
    using peer = await startPeer('Rscript', [script, ...args]);
    const times = new Map<string, number[]>([[`R, dbscan ${peer.version}`, []]]);
    const ours = CONTESTANTS.filter(({maxDim}) => points.dim <= maxDim);
    const kept = await Promise.all(ours.map(async ({name, options}) => ({name, dbscan: await createDbscan(options)})));
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      times.get(`R, dbscan ${peer.version}`)?.push(await peer.fit());
      const theirs = await readFile(labelsFile);
      for (const {name, dbscan} of kept) {
        const {stats, labels, clusterCount} = await dbscan.run(points, params);
        times.set(name, [...(times.get(name) ?? []), stats.wallMs]);
        if (isSame(theirs, labels, clusterCount)) continue;
        process.stdout.write(`  noise or clusters of ${name} DIFFER\n`);
        process.exitCode = 1;
      }
    }
    for (const {dbscan} of kept) dbscan.destroy();
    printTable(dataset, points, params, times);
  } finally {
    await rm(folder, {recursive: true});
  }
}

/** Whether noise and number of clusters are the same. */
function isSame(theirs: Buffer, labels: Int32Array, clusterCount: number): boolean {
  let most = 0;
  for (let i = 0; i < labels.length; i++) {
    const label = theirs.readInt32LE(4 * i);
    if ((label === 0) !== labels[i] < 0) return false;
    most = Math.max(most, label);
  }
  return most === clusterCount;
}

function printTable(
  dataset: string,
  {coords, dim}: PointSet,
  {eps, minPts}: DbscanParams,
  times: ReadonlyMap<string, readonly number[]>,
): void {
  process.stdout.write(`\n${dataset}: ${coords.length / dim} points, eps ${eps}, minPts ${minPts}\n`);
  let theirs = 0;
  for (const [name, all] of times) {
    const {medianMs, allMs} = summarizeTimes([...all]);
    theirs ||= medianMs;
    const list = allMs.map((ms) => ms.toFixed(0)).join(', ');
    const ratio = (theirs / medianMs).toFixed(1);
    process.stdout.write(`  ${name.padEnd(22)} ${medianMs.toFixed(0).padStart(7)} ms  ${ratio} times R  (${list})\n`);
  }
}
