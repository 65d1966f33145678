import {GpuUnavailableError, type PointSet} from '@epsball/clustering';
import {generateDataset} from '@epsball/datasets';
import {createHdbscan, type HdbscanResult} from '@epsball/hdbscan';
import {formatMs} from '@epsball/cli/command';
import type {TimedBackend} from './backends.ts';
import {openR, type RRunner} from './besideR.ts';
import {compareResults, equalToR} from './compareResults.ts';

/** R holds all pairs: 8 · n² / 2 bytes. */
const R_POINTS_MAX = 20_000;

export interface TimeHdbscanOptions {
  readonly backends: readonly TimedBackend[];
  readonly minClusterSize: number;
  readonly minSamples: number;
  /** Runs after a first one, which also compiles. */
  readonly rounds: number;
  readonly isJson: boolean;
  readonly signal: AbortSignal;
}

type OurBackend = Exclude<TimedBackend, 'R'>;

interface Timed {
  readonly dataset: string;
  readonly backend: OurBackend;
  /** Milliseconds of the first run, pipelines included, then of the others. */
  readonly wallMs: readonly number[];
  readonly phaseMs: HdbscanResult['stats']['phaseMs'];
  readonly deviceMs?: number | undefined;
  readonly adapter?: string | undefined;
  readonly clusters: number;
  readonly rounds: number;
}

/**
 * Times HDBSCAN* on some datasets, and prints a line for each backend. All results must be equal, to the byte.
 *
 * @throws FailureError  if two backends disagree
 */
export async function timeHdbscan(specs: readonly string[], options: TimeHdbscanOptions): Promise<void> {
  const r = options.backends.includes('R') ? await openR() : undefined;
  if (options.backends.includes('R') && r === undefined) print('R with the package dbscan is not installed');
  try {
    for (const spec of specs) await timeDataset(spec, options, r);
  } finally {
    r?.close();
  }
}

async function timeDataset(spec: string, options: TimeHdbscanOptions, r: RRunner | undefined): Promise<void> {
  const points = generateDataset(spec);
  let first: HdbscanResult | undefined;
  let fastest = Infinity;
  for (const backend of options.backends) {
    if (backend === 'R') continue;
    const timed = await timeBackend(spec, points, backend, options);
    if (timed === undefined) continue;
    print(options.isJson ? JSON.stringify(timed.times) : describe(timed.times));
    first ??= timed.result;
    compareResults(first, timed.result, `${spec} on ${backend}`);
    fastest = Math.min(fastest, ...timed.times.wallMs.slice(1));
  }
  if (r === undefined || points.coords.length / points.dim > R_POINTS_MAX) return;
  const theirs = await r.run(points, options.minSamples);
  const factor = Number.isFinite(fastest) ? `, ${(theirs.wallMs / fastest).toFixed(0)} times our fastest` : '';
  const line = {dataset: spec, backend: 'R', wallMs: theirs.wallMs};
  print(options.isJson ? JSON.stringify(line) : `${spec} R ${r.version}: ${formatMs(theirs.wallMs)}${factor}`);
  if (first === undefined) return;
  const {edges, cores} = equalToR(theirs, first);
  const text = `tree weights equal to R's bits: ${edges} of ${theirs.heights.length}; core distances: ${cores} of ${theirs.cores.length}`;
  if (!options.isJson) print(`${spec} ${text}`);
}

async function timeBackend(
  dataset: string,
  points: PointSet,
  backend: OurBackend,
  {minClusterSize, minSamples, rounds, signal}: TimeHdbscanOptions,
): Promise<{times: Timed; result: HdbscanResult} | undefined> {
  try {
    const hdbscan = await createHdbscan({backend});
    try {
      const wallMs: number[] = [];
      const params = {minClusterSize, minSamples};
      let outcome = await timedRun();
      for (let round = 0; round < rounds; round++) outcome = await timedRun();
      async function timedRun(): ReturnType<typeof hdbscan.run> {
        const startedAt = performance.now();
        const result = await hdbscan.run(points, params, {signal});
        wallMs.push(performance.now() - startedAt);
        return result;
      }
      const {stats, clusterCount, adapter} = outcome;
      const {phaseMs, deviceMs, counters} = stats;
      const times = {
        dataset,
        backend,
        wallMs,
        phaseMs,
        deviceMs,
        adapter: adapter?.description,
        clusters: clusterCount,
        rounds: counters['rounds'],
      };
      return {times, result: outcome};
    } finally {
      hdbscan.destroy();
    }
  } catch (error) {
    if (!(error instanceof GpuUnavailableError)) throw error;
    print(`${dataset} ${backend}: ${error.message}`);
    return undefined;
  }
}

function describe({dataset, backend, wallMs, phaseMs, deviceMs, adapter, clusters, rounds}: Timed): string {
  const [first, ...others] = wallMs;
  const phases = Object.entries(phaseMs).map(([phase, ms]) => `${phase} ${formatMs(ms)}`);
  const device = deviceMs === undefined ? '' : `, ${formatMs(deviceMs)} on the device`;
  const where = adapter === undefined ? '' : ` (${adapter})`;
  return `${dataset} ${backend}${where}: ${others.map(formatMs).join(', ')}; first ${formatMs(first)}${device}; ${phases.join(', ')}; ${rounds} rounds, ${clusters} clusters`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
