// Usage: against-sklearn.ts [PYTHON [DATASET]]. Times our variants and scikit-learn's DBSCAN on the same points, in
// turn, checks that the labels are equal byte for byte, and prints a table. DATASET: only data sets whose names begin
// with it, such as `cities`: places of GeoNames within 20 km, beside ball_tree. Exits with 1 if labels differ.
import {mkdtemp, readFile, rm} from 'node:fs/promises';
import {cpus, tmpdir} from 'node:os';
import {join} from 'node:path';
import {EARTH_RADIUS} from '@epsball/clustering';
import {findPythonWithSklearn} from '@epsball/conformance';
import {generateDataset, writePoints} from '@epsball/datasets';
import {catalogue, createDbscan, type CreateDbscanOptions, type DbscanRequest} from '@epsball/dbscan';
import {summarizeTimes} from '../src/statistics.ts';
import {startPeer} from './peer.ts';
import {loadPlaces} from './places.ts';
import {print} from './print.ts';

type Contestant = CreateDbscanOptions & {readonly name: string};

/** The baseline, and disjoint sets on one and two threads. */
const CONTESTANTS: readonly Contestant[] = [
  {name: 'sequential', algorithm: 'sequential', backend: 'sequential'},
  {name: 'pds, 1 thread', algorithm: 'pds', backend: 'workers', threads: 1},
  {name: 'pds, 2 threads', algorithm: 'pds', backend: 'workers', threads: 2},
];
const ON_ONE_THREAD = catalogue
  .filter(({on}) => on.sequential !== undefined)
  .map(({id}): Contestant => ({name: id, algorithm: id, backend: 'sequential'}));

interface Workload {
  readonly dataset: string;
  readonly params: DbscanRequest;
  /** Default: `CONTESTANTS`. */
  readonly contestants?: readonly Contestant[];
}

/** Sparse and even, like tweets, dense and clustered: about 6, 120 and 880 points within eps of a point; and places. */
const WORKLOADS: readonly Workload[] = [
  {dataset: 'uniform:n=1000000,dim=2,seed=1', params: {eps: 0.00138, minPts: 5}},
  {dataset: 'tweets:n=1000000,seed=1', params: {eps: 0.01, minPts: 40}},
  {dataset: 'gaussians:n=1000000,dim=2,seed=1', params: {eps: 0.008, minPts: 10}},
  {
    dataset: 'cities',
    params: {eps: 20_000, minPts: 8, metric: 'haversine', angles: 'degrees', epsUnit: 'm'},
    contestants: ON_ONE_THREAD,
  },
];

const REPEATS = 3;
/** Runs of ours in a repeat; all count. scikit-learn takes too long for that. */
const OUR_RUNS = 3;
/** Points of the run that loads and compiles code before anything is timed; the Python side does the same. */
const LOADING_RUN_POINTS = 1000;

const python = process.argv[2] ?? findPythonWithSklearn();
if (python === undefined) throw new Error('no Python with scikit-learn; name one as the argument or in EPSBALL_PYTHON');
print(`${cpus()[0]?.model.trim() ?? 'unknown processor'}, Node ${process.version}`);
const wanted = WORKLOADS.filter(({dataset}) => dataset.startsWith(process.argv[3] ?? ''));
for (const workload of wanted) await compare(workload, python);

async function compare({dataset, params, contestants = CONTESTANTS}: Workload, interpreter: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'epsball-against-'));
  try {
    const points = dataset === 'cities' ? await loadPlaces() : generateDataset(dataset);
    const [file, labelsFile] = [join(folder, 'points.npy'), join(folder, 'labels')];
    await writePoints(file, points);
    const {eps, minPts, metric} = params;
    const given = metric === undefined ? [eps, minPts, labelsFile] : [eps / EARTH_RADIUS, minPts, labelsFile, metric];
    const script = join(import.meta.dirname, 'sklearn_time.py');
    using sklearn = await startPeer(interpreter, [script, file, ...given.map(String)]);
    const {coords, dim} = points;
    print(`\n${dataset}: ${coords.length / dim} points, eps ${eps}, minPts ${minPts}`);
    const ours = await Promise.all(
      contestants.map(async ({name, ...options}) => ({name, dbscan: await createDbscan(options), ms: [] as number[]})),
    );
    const sklearnMs: number[] = [];
    const few = {coords: coords.subarray(0, LOADING_RUN_POINTS * dim), dim};
    for (const {dbscan} of ours) await dbscan.run(few, params);
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      sklearnMs.push(await sklearn.fit());
      const expected = await readFile(labelsFile);
      for (const {name, dbscan, ms} of ours) {
        for (let run = 0; run < OUR_RUNS; run++) {
          const {stats, labels} = await dbscan.run(points, params);
          ms.push(stats.wallMs);
          if (!Buffer.from(labels.buffer).equals(expected)) throw new Error(`labels of ${name} differ`);
        }
      }
    }
    const theirs = row(`scikit-learn ${sklearn.version}`, sklearnMs);
    print(`${theirs.text}; all labels equal, byte for byte`);
    for (const {name, ms, dbscan} of ours) {
      const own = row(name, ms);
      print(`${own.text}; ${(theirs.medianMs / own.medianMs).toFixed(1)} times as fast`);
      dbscan.destroy();
    }
  } finally {
    await rm(folder, {recursive: true});
  }
}

function row(name: string, times: readonly number[]): {text: string; medianMs: number} {
  const {medianMs} = summarizeTimes(times);
  const all = times.map((ms) => ms.toFixed(0)).join(', ');
  return {text: `  ${name.padEnd(20)} ${medianMs.toFixed(0).padStart(7)} ms (${all})`, medianMs};
}
