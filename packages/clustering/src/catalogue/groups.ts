import {InvalidParameterError} from '../errors.ts';
import {pointCount, pointsAt, type PointSet} from '../points.ts';
import type {ProgressListener, RunStats} from '../progress.ts';

/** A group of points, and its clusters. */
export interface PointGroup<Key> {
  readonly key: Key;
  /** Number of points. */
  readonly size: number;
  /** Its clusters have the labels `firstLabel` to `firstLabel + clusterCount − 1`. */
  readonly firstLabel: number;
  readonly clusterCount: number;
}

/** What a run of one group returns. */
interface GroupRan<Phase extends string> {
  /** −1 is noise. */
  readonly labels: Int32Array;
  readonly clusterCount: number;
  readonly stats: RunStats<Phase>;
}

/** The runs of all groups. */
export interface GroupRuns<Key, Phase extends string, Result> {
  /** n labels, which go on from group to group. */
  readonly labels: Int32Array;
  readonly clusterCount: number;
  /** In the order of their first points. */
  readonly groups: readonly PointGroup<Key>[];
  /** The result of the largest group, the first one of several; of a run without points if there are none. */
  readonly largest: Result;
  /** The sums of all runs; of the bytes, the most. */
  readonly stats: RunStats<Phase>;
}

/**
 * Runs each group of points alone.
 *
 * @param points  checked; not modified
 * @param keys    n values, which are compared as keys of a `Map`
 * @param run     one run; `indices` of its points are ascending
 * @param place   takes what else belongs to the points of a run
 * @throws InvalidParameterError  if the keys are not as many as the points
 */
export async function runGroups<Key, Phase extends string, Result extends GroupRan<Phase>>(
  points: PointSet,
  keys: ArrayLike<Key>,
  run: (own: PointSet, indices: readonly number[], onProgress?: ProgressListener<Phase>) => Promise<Result>,
  place: (result: Result, indices: readonly number[]) => void,
  onProgress?: ProgressListener<Phase>,
): Promise<GroupRuns<Key, Phase, Result>> {
  const n = pointCount(points);
  const count: number | undefined = (keys as Partial<ArrayLike<Key>> | undefined)?.length;
  if (count !== n) throw new InvalidParameterError('keys.length', count, `${n}, one key a point`);
  const labels = new Int32Array(n);
  const groups: PointGroup<Key>[] = [];
  let [clusterCount, done, most] = [0, 0, 0];
  let largest: Result | undefined;
  let stats: RunStats<Phase> | undefined;
  for (const [key, indices] of Map.groupBy(Array(n).keys(), (i) => keys[i])) {
    const before = done;
    const report =
      onProgress &&
      ((at: Parameters<typeof onProgress>[0]) => onProgress({...at, done: Math.min(n, before + at.done), total: n}));
    const result = await run({...points, ...pointsAt(points, indices)}, indices, report);
    for (const [k, i] of indices.entries()) labels[i] = result.labels[k] < 0 ? -1 : clusterCount + result.labels[k];
    place(result, indices);
    groups.push({key, size: indices.length, firstLabel: clusterCount, clusterCount: result.clusterCount});
    stats = stats === undefined ? result.stats : sumOf(stats, result.stats);
    if (indices.length > most) [most, largest] = [indices.length, result];
    clusterCount += result.clusterCount;
    done += indices.length;
  }
  largest ??= await run(points, [], onProgress);
  return {labels, clusterCount, groups, largest, stats: stats ?? largest.stats};
}

function sumOf<Phase extends string>(a: RunStats<Phase>, b: RunStats<Phase>): RunStats<Phase> {
  return {
    wallMs: a.wallMs + b.wallMs,
    phaseMs: sumOfRecords(a.phaseMs, b.phaseMs),
    counters: sumOfRecords(a.counters, b.counters),
    ...(a.deviceMs === undefined && b.deviceMs === undefined ? {} : {deviceMs: (a.deviceMs ?? 0) + (b.deviceMs ?? 0)}),
    ...(a.devicePhaseMs === undefined && b.devicePhaseMs === undefined
      ? {}
      : {devicePhaseMs: sumOfRecords(a.devicePhaseMs ?? {}, b.devicePhaseMs ?? {})}),
    ...(a.deviceBytes === undefined && b.deviceBytes === undefined
      ? {}
      : {deviceBytes: Math.max(a.deviceBytes ?? 0, b.deviceBytes ?? 0)}),
  };
}

function sumOfRecords(a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>): Record<string, number>;
function sumOfRecords<Name extends string>(
  a: Partial<Record<Name, number>>,
  b: Partial<Record<Name, number>>,
): Partial<Record<Name, number>>;
function sumOfRecords<Name extends string>(
  a: Partial<Record<Name, number>>,
  b: Partial<Record<Name, number>>,
): Partial<Record<Name, number>> {
  const sums = {...a};
  for (const name in b) sums[name] = (sums[name] ?? 0) + (b[name] ?? 0);
  return sums;
}
