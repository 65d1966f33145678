// Usage: choose.ts [POINTS [DATA]]. Measures the variants that `auto` chooses among, on data up to POINTS points
// (default 1,000,000), or on those only whose name and dimension begin with DATA (`spots-3`, `uniform`): warm, in a
// kept instance, medians of 7 runs, and cold, from the start of a new process to the labels, Node's own start excluded,
// medians of 3. Prints a table with the choice of `auto` beside the best, for the constants in
// packages/dbscan/src/crossovers.ts. Takes part: the GPU, if a hardware adapter is there.
// It imports only @epsball/datasets and @epsball/dbscan, so it also runs inside the folder of `pnpm bundle`.
import {execFileSync} from 'node:child_process';
import {availableParallelism, cpus} from 'node:os';
import {fileURLToPath} from 'node:url';
import {generateDataset} from '@epsball/datasets';
import {createDbscan, dbscan, type CreateDbscanOptions} from '@epsball/dbscan';

interface Workload {
  readonly data: string;
  readonly dim: number;
  readonly minPts: number;
  readonly eps: (n: number) => number;
  /** Most points: beyond, a run takes too long. */
  readonly nMax?: number;
}

/** Suites of the repository: sparse, clustered, skewed and crowded points, and many dimensions. */
const WORKLOADS: readonly Workload[] = [
  {data: 'uniform', dim: 2, minPts: 5, eps: (n) => 1.381977 / Math.sqrt(n)},
  {data: 'spots', dim: 2, minPts: 10, eps: (n) => 0.94 / Math.sqrt(n)},
  {data: 'tweets', dim: 2, minPts: 40, eps: () => 0.01},
  {data: 'milanesi', dim: 2, minPts: 8, eps: () => 0.03},
  {data: 'adversary-two-cells', dim: 2, minPts: 5, eps: () => 1},
  {data: 'uniform', dim: 3, minPts: 5, eps: (n) => 1.13 / Math.cbrt(n)},
  {data: 'spots', dim: 3, minPts: 10, eps: (n) => 0.5113 / Math.cbrt(n)},
  {data: 'spots', dim: 4, minPts: 10, eps: (n) => 0.5113 / n ** 0.25, nMax: 300_000},
  {data: 'gaussians', dim: 8, minPts: 4, eps: () => 0.05, nMax: 100_000},
  {data: 'gaussians', dim: 32, minPts: 4, eps: () => 0.1, nMax: 30_000},
  {data: 'gaussians', dim: 64, minPts: 4, eps: () => 0.15, nMax: 10_000},
];

const SIZES = [1000, 10_000, 100_000, 1_000_000];

/** Warm runs end after this time, or after `RUNS`. */
const [BUDGET_MS, RUNS] = [2000, 7];
/** Cold runs of those that may be the best: of `auto`, and of contestants within this factor of the best. */
const [COLD_RUNS, NEAR] = [3, 2];
/** A variant that takes longer than this for a size is not tried on the next one, nor one whose time grows so fast. */
const SLOW_MS = 4000;
const QUADRATIC = {ms: 100, growth: 30};

interface Contestant extends CreateDbscanOptions {
  readonly name: string;
  readonly maxDim: number;
}

const CONTESTANTS: readonly Contestant[] = [
  {name: 'sequential', algorithm: 'sequential', backend: 'sequential', maxDim: Infinity},
  {name: 'pds', algorithm: 'pds', backend: 'sequential', maxDim: 64},
  {name: 'dense', algorithm: 'dense-grid', backend: 'sequential', maxDim: 4},
  {name: 'pds/workers', algorithm: 'pds', backend: 'workers', maxDim: 64},
  {name: 'dense/workers', algorithm: 'dense-grid', backend: 'workers', maxDim: 4},
  {name: 'dense/gpu', algorithm: 'dense-grid', adapter: 'hardware', maxDim: 4},
  {name: 'dclust/gpu', algorithm: 'dclust', adapter: 'hardware', maxDim: 64},
];

const AUTO: Contestant = {name: 'auto', maxDim: Infinity};

const [mode, ...given] = process.argv.slice(2);
if (mode === 'cold') await runCold(given);
else await measure(Number(mode ?? 1_000_000), given[0] ?? '');

/** The child's part: one run of one contestant, timed from here. */
async function runCold([workload, size, name]: readonly string[]): Promise<void> {
  const {data, dim, minPts, eps} = WORKLOADS[Number(workload)];
  const n = Number(size);
  const points = generateDataset(`${data}:n=${n},dim=${dim},seed=1`);
  const {maxDim: _, name: __, ...options} = [AUTO, ...CONTESTANTS].find((one) => one.name === name) ?? AUTO;
  const start = performance.now();
  const {algorithm, backend} = await dbscan(points, {...options, eps: eps(n), minPts});
  const ms = performance.now() - start;
  process.stdout.write(JSON.stringify({ms, ran: `${algorithm}/${backend}`}));
  process.exit(0);
}

interface Time {
  readonly ms: number;
  readonly ran: string;
}

async function measure(pointsMax: number, wanted: string): Promise<void> {
  process.stdout.write(
    `${cpus()[0]?.model.trim() ?? 'unknown'}, ${availableParallelism()} processors, Node ${process.version}, ` +
      `${new Date().toISOString().slice(0, 10)}\n`,
  );
  const hasGpu = await hasHardware();
  const contestants = CONTESTANTS.filter(({adapter}) => adapter === undefined || hasGpu);
  for (const [k, workload] of WORKLOADS.entries()) {
    if (!`${workload.data}-${workload.dim}`.startsWith(wanted)) continue;
    const slow = new Set<string>();
    let last: ReadonlyMap<string, Time> = new Map();
    for (const n of SIZES.filter((size) => size <= Math.min(pointsMax, workload.nMax ?? Infinity))) {
      const able = contestants.filter(({name, maxDim}) => maxDim >= workload.dim && !slow.has(name));
      const warm = await warmTimes(workload, n, [...able, AUTO]);
      for (const [name, {ms}] of warm) if (isSlow(ms, last.get(name)?.ms)) slow.add(name);
      last = warm;
      print(workload, n, 'warm', warm);
      print(workload, n, 'cold', coldTimes(k, n, [...able, AUTO]));
    }
  }
}

function isSlow(ms: number, before = ms): boolean {
  return ms > SLOW_MS || (ms > QUADRATIC.ms && ms > QUADRATIC.growth * before);
}

async function hasHardware(): Promise<boolean> {
  try {
    using probe = await createDbscan({backend: 'gpu', adapter: 'hardware'});
    return probe !== undefined;
  } catch {
    return false;
  }
}

/** Medians of warm runs, taken in turn. */
async function warmTimes(
  {data, dim, minPts, eps}: Workload,
  n: number,
  contestants: readonly Contestant[],
): Promise<Map<string, Time>> {
  const points = generateDataset(`${data}:n=${n},dim=${dim},seed=1`);
  const times = new Map<string, Time>();
  for (const {name, maxDim: _, ...options} of contestants) {
    using kept = await createDbscan(options);
    const all: number[] = [];
    let ran = '';
    const until = performance.now() + BUDGET_MS;
    do {
      const start = performance.now();
      const {algorithm, backend} = await kept.run(points, {eps: eps(n), minPts});
      all.push(performance.now() - start);
      ran = `${algorithm}/${backend}`;
    } while (all.length < 2 || (all.length < RUNS && performance.now() < until));
    const warm = all.slice(1).toSorted((a, b) => a - b);
    times.set(name, {ms: warm[warm.length >> 1], ran});
  }
  return times;
}

/** Medians of cold runs, taken in turn. Contestants far behind the best have one run. */
function coldTimes(workload: number, n: number, contestants: readonly Contestant[]): Map<string, Time> {
  const all = new Map(contestants.map(({name}) => [name, [coldTime(workload, n, name)]]));
  const best = Math.min(...[...all.values()].map(([{ms}]) => ms));
  for (let round = 1; round < COLD_RUNS; round++) {
    for (const [name, times] of all) {
      if (name === AUTO.name || times[0].ms <= NEAR * best) times.push(coldTime(workload, n, name));
    }
  }
  const median = (times: readonly Time[]): Time => times.toSorted((a, b) => a.ms - b.ms)[times.length >> 1];
  return new Map([...all].map(([name, times]) => [name, median(times)]));
}

function coldTime(workload: number, n: number, name: string): Time {
  const args = [...process.execArgv, fileURLToPath(import.meta.url), 'cold', String(workload), String(n), name];
  return JSON.parse(execFileSync(process.execPath, args, {encoding: 'utf8'}));
}

/** A line: all times, then `auto` beside the best. Marks a choice outside the bounds of the suites. */
function print({data, dim}: Workload, n: number, what: string, times: Map<string, Time>): void {
  const auto = times.get(AUTO.name);
  const others = [...times].filter(([name]) => name !== AUTO.name);
  const best = Math.min(...others.map(([, {ms}]) => ms));
  const list = others.map(([name, {ms}]) => `${name} ${ms.toFixed(ms < 10 ? 1 : 0)}`).join('  ');
  if (auto === undefined) return;
  const behind = auto.ms - best;
  const isOut = best > 20 ? auto.ms > 1.3 * best : behind > 10;
  process.stdout.write(
    `${data} ${dim}-D ${n} ${what}: ${list} | auto ${auto.ms.toFixed(1)} (${auto.ran}), ` +
      `${(auto.ms / best).toFixed(2)} of the best${isOut ? ' OUT' : ''}\n`,
  );
}
