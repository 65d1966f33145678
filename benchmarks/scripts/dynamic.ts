// Points that come and go: `pnpm dynamic singles [N] [DIM]`, `pnpm dynamic batches [N]`, `pnpm dynamic traffic [H]`.
// singles: one removal and one insertion at a time, in `spots`; beside them the times of a loop that does nothing else,
// which show how long the machine keeps a thread waiting. batches: changes of 1 to N points beside a run from nothing.
// traffic: 10,000 cars, a position every 10 s, a window of 5 minutes, haversine, 50 m.
import {seededRandom} from '@epsball/conformance';
import {spots, spotsEps} from '@epsball/datasets';
import {dbscan} from '@epsball/dbscan';
import {createDynamicDbscan, createWindowDbscan, type DynamicDbscan} from '@epsball/dbscan-dynamic';
import {traffic} from './traffic.ts';

const MIN_PTS = 10;
const random = seededRandom(1);
const [mode = 'singles', first = '1000000', dimension = '2'] = process.argv.slice(2);
print(`Node ${process.version}`);
if (mode === 'traffic') drive(first === '1000000' ? 1 : Number(first));
else if (mode === 'batches') await batches(Number(first));
else singles(Number(first), Number(dimension));

function singles(n: number, dim: number): void {
  const {dynamic, coords, eps, ids} = standing(n, dim);
  const times: Record<string, number[]> = {remove: [], insert: [], changes: [], nothing: []};
  const timed = <Result>(name: string, call: () => Result): Result => {
    const startedAt = performance.now();
    const result = call();
    times[name].push(1000 * (performance.now() - startedAt));
    return result;
  };
  for (let k = 0; k < 60_000; k++) {
    const chosen = Math.floor(random() * n);
    const point = {coords: near(coords, dim, eps), dim};
    timed('remove', () => dynamic.remove([ids[chosen]]));
    ids[chosen] = timed('insert', () => dynamic.insert(point))[0];
    timed('changes', () => dynamic.changes());
    timed('nothing', spin);
  }
  const cpu = process.cpuUsage();
  for (let k = 0; k < 20_000; k++) {
    const chosen = Math.floor(random() * n);
    dynamic.remove([ids[chosen]]);
    ids[chosen] = dynamic.insert({coords: near(coords, dim, eps), dim})[0];
  }
  print(`processor time of one change, on average: ${(process.cpuUsage(cpu).user / 40_000).toFixed(1)} µs`);
  print(`µs of one change at ${n} points in ${dim}-D: median, 99 %, 99.9 %, largest`);
  for (const [name, list] of Object.entries(times)) {
    const sorted = list.slice(5000).sort((a, b) => a - b);
    const at = (share: number): string => sorted[Math.floor(share * (sorted.length - 1))].toFixed(1);
    print(`${name}: ${[0.5, 0.99, 0.999, 1].map(at).join(' ')}`);
  }
}

async function batches(n: number): Promise<void> {
  const {dynamic, coords, eps, ids} = standing(n, 2);
  for (let warm = 0; warm < 3; warm++) await dbscan({coords, dim: 2}, {eps, minPts: MIN_PTS, backend: 'sequential'});
  const startedAt = performance.now();
  await dbscan({coords, dim: 2}, {eps, minPts: MIN_PTS, backend: 'sequential'});
  print(`a run from nothing: ${(performance.now() - startedAt).toFixed(1)} ms`);
  for (const size of [1, 100, 1000, 10_000, 50_000, 100_000]) {
    if (size > n / 2) continue;
    const rounds = Math.max(3, Math.min(1000, Math.floor(20_000 / size)));
    let ms = 0;
    for (let round = 0; round < rounds; round++) {
      const chosen = Array.from(new Set(Array.from({length: size}, () => Math.floor(random() * n))));
      const remove = chosen.map((k) => ids[k]);
      const insert = {coords: Float64Array.from(chosen.flatMap(() => [...near(coords, 2, eps)])), dim: 2};
      const from = performance.now();
      const added = dynamic.update({remove, insert});
      ms += performance.now() - from;
      chosen.forEach((k, i) => (ids[k] = added[i]));
    }
    print(`${size} removed and ${size} inserted: ${(ms / rounds).toFixed(3)} ms`);
  }
}

function drive(hours: number): void {
  const CARS = 10_000;
  const SECONDS = 10;
  const town = traffic(CARS, 1);
  const cars = createWindowDbscan({
    eps: 50,
    minPts: 40,
    dim: 2,
    metric: 'haversine',
    angles: 'degrees',
    epsUnit: 'm',
    window: {duration: 300},
  });
  const counts: Record<string, number> = {};
  let ms = 0;
  let cpuMs = 0;
  for (let now = 0; now < 3600 * hours; now += SECONDS) {
    const coords = town.step(SECONDS);
    const from = performance.now();
    const cpu = process.cpuUsage();
    // A tenth of the cars reports each second.
    for (let second = 0; second < SECONDS; second++) {
      const part = coords.subarray((2 * CARS * second) / SECONDS, (2 * CARS * (second + 1)) / SECONDS);
      const time = new Float64Array(part.length / 2).fill(now + second);
      cars.insert({coords: part, dim: 2}, {time});
      for (const {kind} of cars.view.changes()) counts[kind] = (counts[kind] ?? 0) + 1;
    }
    ms += performance.now() - from;
    cpuMs += process.cpuUsage(cpu).user / 1000;
    if ((now + SECONDS) % 1800 > 0) continue;
    const {heapUsed, arrayBuffers} = process.memoryUsage();
    print(
      `${((now + SECONDS) / 3600).toFixed(1)} h: ${(((now + SECONDS) * 1000) / ms).toFixed(1)} times real time, ` +
        `${(((now + SECONDS) * 1000) / cpuMs).toFixed(1)} by processor time, ${cars.view.pointCount} points, ${cars.view.clusters().ids.length} clusters, ` +
        `${((heapUsed + arrayBuffers) / 2 ** 20).toFixed(0)} MiB`,
    );
  }
  print(JSON.stringify(counts));
}

interface Standing {
  readonly dynamic: DynamicDbscan;
  readonly coords: Float64Array;
  readonly eps: number;
  readonly ids: number[];
}

function standing(n: number, dim: number): Standing {
  const eps = spotsEps(n, dim);
  const coords = Float64Array.from(spots({n, dim, seed: 1}).coords);
  const dynamic = createDynamicDbscan({eps, minPts: MIN_PTS, dim});
  const before = bytesHeld();
  const startedAt = performance.now();
  const ids = dynamic.insert({coords, dim});
  const ms = performance.now() - startedAt;
  print(
    `${n} points at once: ${ms.toFixed(0)} ms, ${((bytesHeld() - before - ids.byteLength) / n).toFixed(1)} bytes a point`,
  );
  dynamic.changes();
  return {dynamic, coords, eps, ids: Array.from(ids)};
}

function bytesHeld(): number {
  globalThis.gc?.();
  const {heapUsed, arrayBuffers} = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** A point as dense as the others: a tenth of eps from one of them. */
function near(coords: Float64Array, dim: number, eps: number): Float64Array {
  const k = Math.floor((random() * coords.length) / dim) * dim;
  return coords.slice(k, k + dim).map((x) => x + (random() - 0.5) * eps * 0.1);
}

function spin(): number {
  let sum = 0;
  for (let k = 0; k < 20_000; k++) sum += k & 7;
  return sum;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
