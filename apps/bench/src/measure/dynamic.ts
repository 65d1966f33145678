import {summarizeTimes} from '@epsball/benchmarks';
import {pointsAt, type PointSet} from '@epsball/clustering';
import {seededRandom} from '@epsball/conformance';
import {traffic} from '@epsball/datasets';
import {dbscan, type DbscanOptions} from '@epsball/dbscan';
import {createDynamicDbscan, createWindowDbscan} from '@epsball/dbscan-dynamic';
import type {CellJob} from '../run/job.ts';
import {loadWorkload, measureDbscan} from './dbscan.ts';
import {collectGarbage, type Measured} from './measureCell.ts';

type Params = CellJob['workload']['params'];

/** The window over the traffic. */
const WINDOW_S = 300;

/**
 * Changes of points that stand, runs from nothing, or traffic.
 *
 * @throws Error  if labels differ from those of a run from nothing
 */
export async function measureDynamic(job: CellJob): Promise<Measured> {
  const {workload, subject} = job;
  if (subject.row !== 'dynamic') return await measureDbscan(job);
  if (workload.dataset === 'traffic') return await measureTraffic(workload.params);
  return await measureChanges(await loadWorkload(workload), workload.params);
}

async function measureChanges({coords, dim}: PointSet, params: Params): Promise<Measured> {
  const {eps, minPts, changes} = params;
  const n = coords.length / dim;
  const random = seededRandom(1);
  const dynamic = createDynamicDbscan({eps, minPts, dim});
  const [ids, firstMs] = timed(() => dynamic.insert({coords, dim}));
  const places = Float64Array.from(coords);
  // As dense as before: a tenth of eps from one of the points.
  const place = (): number[] => {
    const near = Math.floor(random() * n) * dim;
    return Array.from(coords.subarray(near, near + dim), (x) => x + (random() - 0.5) * eps * 0.1);
  };
  const times = {remove: [] as number[], insert: [] as number[]};
  const rounds = Math.max(5, Math.min(n / 50, 200_000 / changes));
  for (let round = 0; round < rounds; round++) {
    const chosen = [...new Set(Array.from({length: changes}, () => Math.floor(random() * n)))];
    const gone = chosen.map((k) => ids[k]);
    const added = Float64Array.from(chosen.flatMap(place));
    const [, removeMs] = timed(() => dynamic.remove(gone));
    const [news, insertMs] = timed(() => dynamic.insert({coords: added, dim}));
    dynamic.changes();
    chosen.forEach((k, i) => {
      ids[k] = news[i];
      places.set(added.subarray(i * dim, (i + 1) * dim), k * dim);
    });
    // V8 compiles in the first tenth.
    if (round < rounds / 10) continue;
    times.remove.push(removeMs);
    times.insert.push(insertMs);
  }
  const byId = Uint32Array.from(ids, (_, k) => k).sort((a, b) => ids[a] - ids[b]);
  const there = pointsAt({coords: places, dim}, byId);
  const clusters = await compare(dynamic.canonicalLabels().labels, there, {eps, minPts});
  const both = times.remove.map((ms, k) => ms + times.insert[k]);
  return {
    // A result file keeps every time: of many, each hundredth part of them.
    wall: summarizeTimes(both.filter((_, k) => k % Math.ceil(both.length / 100) === 0)),
    counters: {firstMs, ...quantiles('remove', times.remove), ...quantiles('insert', times.insert)},
    clusters,
    verified: ['reference'],
  };
}

async function measureTraffic({eps, minPts, cars, minutes}: Params): Promise<Measured> {
  const town = traffic(cars, 1);
  const params = {eps, minPts, metric: 'haversine', angles: 'degrees', epsUnit: 'm'} as const;
  const window = createWindowDbscan({...params, dim: 2, window: {duration: WINDOW_S}});
  /** Of each second in the window. */
  const sent: Float64Array[] = [];
  const counters = {cpuMs: 0, events: 0, halfMiB: 0, endMiB: 0};
  const seconds = 60 * minutes;
  let ms = 0;
  let places: Float64Array = new Float64Array(0);
  for (let second = 0; second < seconds; second++) {
    // A tenth of the cars sends each second.
    if (second % 10 === 0) places = town.step(10);
    const coords = places.slice((cars / 5) * (second % 10), (cars / 5) * ((second % 10) + 1));
    if (sent.push(coords) > WINDOW_S + 1) sent.shift();
    const time = new Float64Array(cars / 10).fill(second);
    const cpu = process.cpuUsage();
    const [changes, tookMs] = timed(() => {
      window.insert({coords, dim: 2}, {time});
      return window.view.changes();
    });
    ms += tookMs;
    counters.cpuMs += process.cpuUsage(cpu).user / 1000;
    counters.events += changes.length;
    if (second === seconds / 2) counters.halfMiB = await heldMiB();
  }
  counters.endMiB = await heldMiB();
  const there = {coords: Float64Array.from(sent.flatMap((coords) => [...coords])), dim: 2};
  const clusters = await compare(window.view.canonicalLabels().labels, there, params);
  return {wall: summarizeTimes([ms]), counters, clusters, verified: ['reference']};
}

/** @returns  the number of clusters. @throws Error  if the labels are others than those of a run from nothing */
async function compare(labels: Int32Array, points: PointSet, params: DbscanOptions): Promise<number> {
  const fresh = await dbscan(points, {...params, backend: 'sequential'});
  if (fresh.labels.some((label, k) => label !== labels[k])) throw new Error('labels differ from a run from nothing');
  return fresh.clusterCount;
}

function timed<Result>(call: () => Result): [Result, ms: number] {
  const from = performance.now();
  const result = call();
  return [result, performance.now() - from];
}

function quantiles(name: string, times: readonly number[]): Record<string, number> {
  const sorted = times.toSorted((a, b) => a - b);
  const microseconds = (share: number): number => 1000 * sorted[Math.floor(share * (sorted.length - 1))];
  return {[`${name} median`]: microseconds(0.5), [`${name} 99.9 %`]: microseconds(0.999)};
}

async function heldMiB(): Promise<number> {
  await collectGarbage();
  const {heapUsed, arrayBuffers} = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
}
