import {createHash} from 'node:crypto';
import {createReadStream} from 'node:fs';
import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {pipeline} from 'node:stream/promises';
import {FailureError} from '@epsball/cli/command';
import {speedUpTable, stageTable} from './bounds.ts';
import {compareDirect} from './compareDirect.ts';
import {measureRun, type MeasuredRun} from './measureRun.ts';
import {writeSkewedPoints, type Precision, type SkewedPoints} from './skewedPoints.ts';

export interface ScaleOutMeasurement {
  readonly folder: string;
  readonly points: number;
  readonly precision: Precision;
  readonly eps: number;
  readonly minPts: number;
  readonly taskBytes: number;
  readonly concurrencies: readonly number[];
  readonly hasGpu: boolean;
  readonly isCompared: boolean;
  readonly isJson: boolean;
  readonly signal: AbortSignal;
}

/**
 * Measures a run for each number of tasks at a time, and prints the steps of each and the table of all.
 *
 * @throws FailureError  if labels differ
 */
export async function measureScaleOut(measurement: ScaleOutMeasurement): Promise<void> {
  const {folder, points: rowCount, precision, eps, minPts, concurrencies, isJson, isCompared, signal} = measurement;
  await mkdir(folder, {recursive: true});
  const onLine = (line: string): void => void process.stderr.write(`${line}\n`);
  const points: SkewedPoints = {folder: join(folder, 'input'), rowCount, precision};
  const start = performance.now();
  const input = await writeSkewedPoints(points, signal);
  onLine(`${rowCount} points, ${precision}, written in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  const out = join(folder, 'labels.npy');
  const runs: MeasuredRun[] = [];
  const hashes = new Set<string>();
  for (const concurrency of concurrencies) {
    const {taskBytes, hasGpu} = measurement;
    const work = join(folder, 'work');
    const run = await measureRun({input, eps, minPts, work, taskBytes, concurrency, hasGpu, out, signal, onLine});
    runs.push(run);
    if (isJson) process.stdout.write(`${JSON.stringify({...run, eps, minPts, precision})}\n`);
    else process.stdout.write(`\n${runTitle(run)}\n${stageTable(run)}`);
    if (concurrencies.length > 1) hashes.add(await hashOf(out));
  }
  if (!isJson && runs.length > 1) process.stdout.write(`\n${speedUpTable(runs)}`);
  if (hashes.size > 1) throw new FailureError('the labels differ between the numbers of tasks at a time');
  if (isCompared) process.stdout.write(`${await compareDirect(points, {eps, minPts}, out, signal)}\n`);
}

function runTitle({
  rowCount,
  tileCount,
  clusterCount,
  concurrency,
  hasGpu,
  wallMs,
  cpuMs,
  peakMiB,
}: MeasuredRun): string {
  return (
    `${rowCount} points, ${tileCount} tiles, ${clusterCount} clusters, ${concurrency} at a time` +
    `${hasGpu ? ' and a GPU' : ''}: ${(wallMs / 1000).toFixed(2)} s, CPU ${(cpuMs / 1000).toFixed(1)} s, ` +
    `peak ${peakMiB.toFixed(0)} MiB`
  );
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
