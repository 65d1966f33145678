// Usage: against-sklearn.ts [PYTHON [DATASET]]. Times our variants and scikit-learn's DBSCAN(algorithm='kd_tree') on
// the same points, in turn, checks that the labels are equal byte for byte, and prints a table. DATASET: only data sets
// whose names begin with it. Exits with 1 if labels differ.
import {mkdtemp, readFile, rm} from 'node:fs/promises';
import {cpus, tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {DbscanParams, PointSet} from '@epsball/clustering';
import {findPythonWithSklearn} from '@epsball/conformance';
import {generateDataset, writePoints} from '@epsball/datasets';
import {createDbscan, type CreateDbscanOptions} from '@epsball/dbscan';
import {summarizeTimes, type Timing} from '../src/statistics.ts';
import {startPeer, type Peer} from './peer.ts';

interface Workload {
  readonly dataset: string;
  readonly params: DbscanParams;
}

/** Sparse and even, like tweets, dense and clustered: about 6, 120 and 880 points within eps of a point. */
const WORKLOADS: readonly Workload[] = [
  {dataset: 'uniform:n=1000000,dim=2,seed=1', params: {eps: 0.00138, minPts: 5}},
  {dataset: 'tweets:n=1000000,seed=1', params: {eps: 0.01, minPts: 40}},
  {dataset: 'gaussians:n=1000000,dim=2,seed=1', params: {eps: 0.008, minPts: 10}},
];

/** The baseline, and disjoint sets on one and two threads. */
const CONTESTANTS: readonly (CreateDbscanOptions & {readonly name: string})[] = [
  {name: 'sequential', algorithm: 'sequential', backend: 'sequential'},
  {name: 'pds, 1 thread', algorithm: 'pds', backend: 'workers', threads: 1},
  {name: 'pds, 2 threads', algorithm: 'pds', backend: 'workers', threads: 2},
];

const REPEATS = 3;

/** Runs of ours in a repeat; all count. scikit-learn takes too long for that. */
const OUR_RUNS = 3;

/** Points of the run that loads and compiles code before anything is timed; the Python side does the same. */
const LOADING_RUN_POINTS = 1000;

const python = process.argv[2] ?? findPythonWithSklearn();
if (python === undefined) throw new Error('no Python with scikit-learn; name one as the argument or in EPSBALL_PYTHON');
process.stdout.write(`${cpus()[0]?.model.trim() ?? 'unknown processor'}, Node ${process.version}\n`);
const wanted = WORKLOADS.filter(({dataset}) => dataset.startsWith(process.argv[3] ?? ''));
for (const workload of wanted) await compare(workload, python);

async function compare({dataset, params}: Workload, interpreter: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'epsball-against-'));
  try {
    const points = generateDataset(dataset);
    const pointsFile = join(folder, 'points.npy');
    await writePoints(pointsFile, points);
    using sklearn = await startSklearn(interpreter, folder, pointsFile, params);
    const ours = await Promise.all(
      CONTESTANTS.map(async ({name, ...options}) => ({name, dbscan: await createDbscan(options)})),
    );
    const {coords, dim} = points;
    const sklearnMs: number[] = [];
    const oursMs = new Map(ours.map(({name}) => [name, [] as number[]]));
    for (const {dbscan} of ours) await dbscan.run({coords: coords.subarray(0, LOADING_RUN_POINTS * dim), dim}, params);
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      sklearnMs.push(await sklearn.fit());
      const expected = await sklearn.labels();
      for (const {name, dbscan} of ours) {
        for (let run = 0; run < OUR_RUNS; run++) {
          const {stats, labels, clusterCount} = await dbscan.run(points, params);
          oursMs.get(name)?.push(stats.wallMs);
          if (sklearnMs.length + run === 1 && dbscan === ours[0].dbscan)
            describe(dataset, points, params, clusterCount);
          if (Buffer.from(labels.buffer).equals(expected)) continue;
          process.stdout.write(`  labels of ${name} DIFFER\n`);
          process.exitCode = 1;
          return;
        }
      }
    }
    for (const {dbscan} of ours) dbscan.destroy();
    const theirs = summarizeTimes(sklearnMs);
    printRow(`scikit-learn ${sklearn.version}`, theirs);
    for (const [name, times] of oursMs) {
      const own = summarizeTimes(times);
      printRow(name, own);
      process.stdout.write(
        `  ${(theirs.medianMs / own.medianMs).toFixed(1)} times as fast; labels equal, byte for byte\n`,
      );
    }
  } finally {
    await rm(folder, {recursive: true});
  }
}

function describe(dataset: string, {coords, dim}: PointSet, {eps, minPts}: DbscanParams, clusterCount: number): void {
  const n = coords.length / dim;
  process.stdout.write(`\n${dataset}: ${n} points, eps ${eps}, minPts ${minPts}, ${clusterCount} clusters\n`);
}

function printRow(name: string, {medianMs, allMs}: Timing): void {
  const all = allMs.map((ms) => ms.toFixed(0)).join(', ');
  process.stdout.write(`  ${name.padEnd(20)} ${medianMs.toFixed(0).padStart(7)} ms   (${all})\n`);
}

/** scikit-learn in a Python process. */
interface Sklearn extends Peer {
  /** Labels of the last fit: int32, little-endian. */
  labels(): Promise<Buffer>;
}

async function startSklearn(
  interpreter: string,
  folder: string,
  pointsFile: string,
  params: DbscanParams,
): Promise<Sklearn> {
  const script = fileURLToPath(new URL('./sklearn_time.py', import.meta.url));
  const labelsFile = join(folder, 'labels');
  const peer = await startPeer(interpreter, [
    script,
    pointsFile,
    String(params.eps),
    String(params.minPts),
    labelsFile,
  ]);
  return {...peer, labels: () => readFile(labelsFile), [Symbol.dispose]: peer[Symbol.dispose]};
}
