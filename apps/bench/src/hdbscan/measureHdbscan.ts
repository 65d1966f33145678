import type {PointSet} from '@epsball/clustering';
import {summarizeTimes, type MeasuredHdbscanCell} from '@epsball/benchmarks';
import {generateDataset} from '@epsball/datasets';
import {createHdbscan, type HdbscanResult} from '@epsball/hdbscan';
import {openR} from './besideR.ts';
import {compareResults, compareWithR} from './compareResults.ts';
import type {HdbscanJob} from './job.ts';

/** A first run of so long counts, and is the only one. */
const LONG_RUN_MS = 3000;

type Measured = Omit<MeasuredHdbscanCell, 'method' | 'dataset' | 'n' | 'status'>;

/**
 * Measures one cell in this process: makes the data, runs, compares the result, and only then gives times.
 *
 * @throws FailureError  if a result differs
 */
export async function measureHdbscan(job: HdbscanJob): Promise<MeasuredHdbscanCell> {
  const {method, dataset, n} = job;
  const points = generateDataset(`${dataset},n=${n}`);
  const measured = method === 'R' ? await measureR(points, job) : await measureOurs(points, job);
  return {status: 'measured', method, dataset, n, ...measured};
}

async function measureOurs(points: PointSet, job: HdbscanJob): Promise<Measured> {
  const {method, suite, profile, adapter} = job;
  const backend = method === 'R' ? 'sequential' : method;
  using hdbscan = await createHdbscan(backend === 'gpu' ? {backend, adapter} : {backend});
  const first = await hdbscan.run(points, suite);
  const reference = backend === 'sequential' ? 'workers' : 'sequential';
  compareResults(await runOnce(points, reference, job), first, method);
  const runs: HdbscanResult[] = first.stats.wallMs > LONG_RUN_MS ? [first] : [];
  while (runs.length === 0 || (first.stats.wallMs <= LONG_RUN_MS && runs.length < profile.repeats)) {
    runs.push(await hdbscan.run(points, suite));
  }
  const device = runs.flatMap(({stats}) => stats.deviceMs ?? []);
  return {
    wall: summarizeTimes(runs.map(({stats}) => stats.wallMs)),
    device: device.length === runs.length ? summarizeTimes(device) : null,
    clusters: first.clusterCount,
    verified: `all numbers equal the backend ${reference}`,
    version: null,
  };
}

async function measureR(points: PointSet, job: HdbscanJob): Promise<Measured> {
  const r = await openR();
  if (r === undefined) throw new Error('R with the package dbscan is not installed');
  try {
    const theirs = await r.run(points, job.suite.minSamples);
    compareWithR(theirs, await runOnce(points, 'sequential', job));
    return {
      wall: summarizeTimes([theirs.wallMs]),
      device: null,
      clusters: null,
      verified: 'core distances and tree weights equal ours, to the bit',
      version: r.version,
    };
  } finally {
    r.close();
  }
}

async function runOnce(
  points: PointSet,
  backend: 'sequential' | 'workers',
  {suite}: HdbscanJob,
): Promise<HdbscanResult> {
  using hdbscan = await createHdbscan({backend});
  return await hdbscan.run(points, suite);
}
