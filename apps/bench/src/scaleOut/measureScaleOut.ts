import {createHash} from 'node:crypto';
import {createReadStream} from 'node:fs';
import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {pipeline} from 'node:stream/promises';
import {FailureError} from '@epsball/cli/command';
import {slotsText, speedUpTable, stageTable} from './bounds.ts';
import {compareDirect} from './compareDirect.ts';
import {measureRun, type MeasuredRun} from './measureRun.ts';
import {writeSkewedPoints, type Precision, type SkewedPoints} from './skewedPoints.ts';

/** Flags of the command. */
export interface ScaleOutOptions {
  readonly points: number;
  readonly precision: Precision;
  readonly eps: number;
  readonly minPts: number;
  /** MiB. */
  readonly taskMemory: number;
  readonly concurrency: readonly number[];
  readonly gpu?: boolean;
  readonly gpus?: number | 'all';
  readonly compare?: boolean;
  readonly json?: boolean;
}

/**
 * Measures a run for each number of tasks at a time, and prints the steps of each and the table of all.
 *
 * @throws FailureError  if labels differ
 */
export async function measureScaleOut(folder: string, options: ScaleOutOptions, signal: AbortSignal): Promise<void> {
  const {points: rowCount, precision, eps, minPts, gpus, gpu: hasGpu = false, compare = false, json = false} = options;
  const taskBytes = options.taskMemory * 2 ** 20;
  await mkdir(folder, {recursive: true});
  const onLine = (line: string): void => void process.stderr.write(`${line}\n`);
  const points: SkewedPoints = {folder: join(folder, 'input'), rowCount, precision};
  const start = performance.now();
  const input = await writeSkewedPoints(points, signal);
  onLine(`${rowCount} points, ${precision}, written in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  const out = join(folder, 'labels.npy');
  const runs: MeasuredRun[] = [];
  const hashes = new Set<string>();
  for (const concurrency of options.concurrency) {
    const work = join(folder, 'work');
    const how = {taskBytes, concurrency, hasGpu, gpus};
    const run = await measureRun({input, eps, minPts, work, ...how, out, signal, onLine});
    runs.push(run);
    if (json) process.stdout.write(`${JSON.stringify({...run, eps, minPts, precision})}\n`);
    else process.stdout.write(`\n${runTitle(run)}\n${stageTable(run)}`);
    if (options.concurrency.length > 1) hashes.add(await hashOf(out));
  }
  if (!json && runs.length > 1) process.stdout.write(`\n${speedUpTable(runs)}`);
  if (hashes.size > 1) throw new FailureError('the labels differ between the numbers of tasks at a time');
  if (compare) process.stdout.write(`${await compareDirect(points, {eps, minPts}, out, signal)}\n`);
}

function runTitle({rowCount, tileCount, clusterCount, wallMs, cpuMs, peakMiB, ...run}: MeasuredRun): string {
  const times = `${(wallMs / 1000).toFixed(2)} s, CPU ${(cpuMs / 1000).toFixed(1)} s, peak ${peakMiB.toFixed(0)} MiB`;
  return `${rowCount} points, ${tileCount} tiles, ${clusterCount} clusters, ${slotsText(run)}: ${times}`;
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
