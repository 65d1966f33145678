import type {DbscanParams} from '@epsball/clustering';
import {FailureError} from '@epsball/cli/command';
import {readLabels} from '@epsball/datasets';
import {dbscan} from '@epsball/dbscan';
import {readSkewedPoints, type SkewedPoints} from './skewedPoints.ts';

/**
 * Compares labels of a run out of core with those of one run of `pds` over all points, on all processors.
 *
 * @returns  a line that says what the direct run took
 * @throws FailureError  if a label differs
 */
export async function compareDirect(
  points: SkewedPoints,
  params: DbscanParams,
  labelsFile: string,
  signal: AbortSignal,
): Promise<string> {
  const startedAt = performance.now();
  const inMemory = await readSkewedPoints(points, signal);
  const readAt = performance.now();
  const {labels} = await dbscan(inMemory, {...params, algorithm: 'pds', backend: 'workers', signal});
  const doneAt = performance.now();
  const written = await readLabels(labelsFile);
  let differing = written.length === labels.length ? 0 : Number.NaN;
  for (let i = 0; i < labels.length; i++) differing += Number(labels[i] !== written[i]);
  if (differing !== 0) throw new FailureError(`${differing} of ${labels.length} labels differ from the direct run`);
  const [read, run] = [readAt - startedAt, doneAt - readAt].map((ms) => (ms / 1000).toFixed(1));
  const memory = (process.resourceUsage().maxRSS / 1024).toFixed(0);
  return `0 of ${labels.length} labels differ from one run of pds: read ${read} s, run ${run} s, peak ${memory} MiB`;
}
