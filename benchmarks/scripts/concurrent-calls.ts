// Event-loop delay, threads and memory of many one-shot calls at once.
//
// node --conditions=@epsball/source scripts/concurrentCalls.ts [CALLS] [POINTS] [BACKEND]
import {readdirSync} from 'node:fs';
import {monitorEventLoopDelay} from 'node:perf_hooks';
import {BACKENDS} from '@epsball/clustering/catalogue';
import {dbscan} from '@epsball/dbscan';

const [calls = 200, n = 20_000] = process.argv.slice(2, 4).map(Number);
const backend = BACKENDS.find((one) => one === process.argv[4]);

const sets = Array.from({length: 4}, (_, seed) => gaussians(n, seed + 1));
const threads = (): number => readdirSync('/proc/self/task').length;
let started = 0;
process.on('worker', () => started++);
const before = threads();
let most = before;
const look = setInterval(() => (most = Math.max(most, threads())), 20);
const delay = monitorEventLoopDelay({resolution: 5});
delay.enable();
// On a busy machine the delay holds what other processes take. The processor time of this thread between two turns of
// its loop does not.
let longestCpu = 0;
let cpuAt = process.threadCpuUsage();
let isWatching = true;
const watch = (): void => {
  const now = process.threadCpuUsage();
  longestCpu = Math.max(longestCpu, now.user + now.system - cpuAt.user - cpuAt.system);
  cpuAt = now;
  if (isWatching) setImmediate(watch);
};
watch();
const from = performance.now();
const outcomes = await Promise.all(
  Array.from({length: calls}, (_, k) => dbscan(sets[k % sets.length], {eps: 0.02, minPts: 8, backend})),
);
const ms = performance.now() - from;
await new Promise((resolve) => setTimeout(resolve, 50));
delay.disable();
isWatching = false;
clearInterval(look);
const backends = Map.groupBy(outcomes, (one) => one.backend);
const figures = {
  calls,
  n,
  backends: Object.fromEntries([...backends].map(([name, of]) => [name, of.length])),
  ms: Math.round(ms),
  longestDelayMs: Math.round(delay.max / 1e6),
  p99DelayMs: Math.round(delay.percentile(99) / 1e6),
  longestCpuMs: Math.round(longestCpu / 1e3),
  workersStarted: started,
  threadsBefore: before,
  threadsMost: most,
  rssMiB: Math.round(process.resourceUsage().maxRSS / 1024),
};
process.stdout.write(`${JSON.stringify(figures)}\n`);

/** Ten Gaussians in the unit square. */
function gaussians(count: number, seed: number): {coords: Float32Array; dim: number} {
  let state = seed;
  const random = (): number => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) + 0.5) / 2 ** 32;
  const centres = Array.from({length: 20}, random);
  const coords = new Float32Array(2 * count);
  for (let i = 0; i < count; i++) {
    const radius = 0.03 * Math.sqrt(-2 * Math.log(random()));
    const angle = 2 * Math.PI * random();
    coords[2 * i] = centres[2 * (i % 10)] + radius * Math.cos(angle);
    coords[2 * i + 1] = centres[2 * (i % 10) + 1] + radius * Math.sin(angle);
  }
  return {coords, dim: 2};
}
