import {
  checkInteger,
  checkKnownOptions,
  InvalidParameterError,
  pointCount,
  toPoints,
  validatePointShape,
  type PointsInput,
} from '@epsball/clustering';
import {checkArguments, checkList} from './checks.ts';
import {createDynamicDbscan, restoreDynamicDbscan, type DynamicDbscan} from './dynamicDbscan.ts';
import {OPTION_NAMES, type DynamicDbscanOptions} from './options.ts';

/** Which points stay: the last `count`, or those at most `duration` before now; one of the two. */
export type Window = {readonly duration: number} | {readonly count: number};

export interface WindowDbscanOptions extends DynamicDbscanOptions {
  readonly window: Window;
}

export interface WindowInsertOptions {
  /** A time for each point, ascending, from that of the last point on. Required with a duration, and only then. */
  readonly time?: ArrayLike<number> | undefined;
  readonly sampleWeight?: ArrayLike<number> | undefined;
}

/** What a window tells of its points. */
export type WindowView = Omit<DynamicDbscan, 'insert' | 'remove' | 'move' | 'update' | 'snapshot'>;

/** The state of a window in a snapshot. */
interface WindowState {
  readonly window: Window;
  readonly now: number | null;
  readonly firstId: number;
  readonly times: readonly number[];
}

/** Exact DBSCAN of the last points of a stream; made by `createWindowDbscan` or `restoreWindowDbscan`. */
export class WindowDbscan {
  /** Labels, clusters and changes of the points in the window. */
  readonly view: WindowView;
  readonly #dynamic: DynamicDbscan;
  readonly #window: Window;
  /** Ids in the window are consecutive: they begin here. */
  #firstId = 0;
  /** Times of the points from `firstId` on, behind those that have left. */
  #times: number[] = [];
  #left = 0;
  #now = -Infinity;

  constructor(dynamic: DynamicDbscan, window: Window) {
    this.#dynamic = dynamic;
    this.view = dynamic;
    this.#window = {...window};
    const {extra} = dynamic;
    if (!isState(extra)) return;
    this.#firstId = extra.firstId;
    this.#times = [...extra.times];
    this.#now = extra.now ?? -Infinity;
  }

  /**
   * Adds points; those that leave the window do so in the same batch, so that clusters survive it.
   *
   * @returns  ids, as of `DynamicDbscan.insert`; −1 for a point that later points of the call push out at once
   * @throws InvalidParameterError, InvalidPointsError  if times run backwards, or as `DynamicDbscan.insert`; all is as
   *                                                    before the call
   */
  insert(input: PointsInput, options: WindowInsertOptions = {}): Float64Array {
    checkArguments(arguments.length, 'insert(points, options)');
    checkKnownOptions(options, ['time', 'sampleWeight'], 'options', 'an object such as {time}');
    const points = toPoints(input);
    validatePointShape(points);
    const n = pointCount(points);
    const times = this.#checkTimes(options.time, n);
    const now = n === 0 ? this.#now : (times[n - 1] ?? this.#now);
    const leaving = this.#leaving(now, n);
    const skipped = this.#skipped(times, now, n);
    const {sampleWeight} = options;
    // Points that are pushed out at once are checked as the others are.
    if (skipped > 0) this.#dynamic.check(points, {sampleWeight});
    const kept = {...points, coords: points.coords.subarray(skipped * points.dim)};
    const ids = this.#dynamic.update({
      remove: Float64Array.from({length: leaving}, (_, k) => this.#firstId + k),
      insert: skipped === 0 ? points : kept,
      sampleWeight:
        skipped === 0 || sampleWeight === undefined ? sampleWeight : Array.from(sampleWeight).slice(skipped),
    });
    this.#leave(leaving, now);
    // Ids are consecutive in the window as long as none is skipped, and then no older point stays.
    if (skipped > 0) this.#firstId = ids[0] ?? this.#firstId;
    for (let k = skipped; k < times.length; k++) this.#times.push(times[k]);
    return Float64Array.from({length: n}, (_, k) => (k < skipped ? -1 : ids[k - skipped]));
  }

  /**
   * Moves time on without a point.
   *
   * @param time  not before that of the last point
   * @throws InvalidParameterError  if time runs backwards, or the window is no duration
   */
  advance(time: number): void {
    checkArguments(arguments.length, 'advance(time)');
    if (!('duration' in this.#window)) throw new InvalidParameterError('time', time, 'no time: the window is a count');
    this.#checkTimes([time], 1);
    const leaving = this.#leaving(time, 0);
    this.#dynamic.remove(Float64Array.from({length: leaving}, (_, k) => this.#firstId + k));
    this.#leave(leaving, time);
  }

  /** All of the state as one file, for `restoreWindowDbscan`. */
  snapshot(): Uint8Array {
    const state: WindowState = {
      window: this.#window,
      now: Number.isFinite(this.#now) ? this.#now : null,
      firstId: this.#firstId,
      times: this.#times.slice(this.#left),
    };
    return this.#dynamic.snapshot(state);
  }

  #checkTimes(time: ArrayLike<number> | undefined, n: number): ArrayLike<number> {
    if (!('duration' in this.#window)) {
      if (time !== undefined) throw new InvalidParameterError('time', time, 'no times: the window is a count');
      return [];
    }
    checkList('time', time);
    if (time?.length !== n) throw new InvalidParameterError('time.length', time?.length, `${n}, one time a point`);
    let last = this.#now;
    for (let k = 0; k < n; k++) {
      if (!(Number.isFinite(time[k]) && time[k] >= last)) {
        throw new InvalidParameterError(`time[${k}]`, time[k], `a finite number ≥ ${last}: time runs forwards`);
      }
      last = time[k];
    }
    return time;
  }

  /** Number of points in the window that leave it. */
  #leaving(now: number, added: number): number {
    const there = this.#dynamic.pointCount;
    if (!('duration' in this.#window)) return Math.min(there, Math.max(0, there + added - this.#window.count));
    let left = this.#left;
    while (left < this.#times.length && now - this.#times[left] > this.#window.duration) left++;
    return left - this.#left;
  }

  /** Number of new points that the window has passed at the end of their call. */
  #skipped(times: ArrayLike<number>, now: number, n: number): number {
    if (!('duration' in this.#window)) return Math.max(0, n - this.#window.count);
    let skipped = 0;
    while (skipped < n && now - times[skipped] > this.#window.duration) skipped++;
    return skipped;
  }

  #leave(count: number, now: number): void {
    this.#now = now;
    this.#firstId += count;
    if (!('duration' in this.#window)) return;
    this.#left += count;
    // Half of the list at a time: constant per point.
    if (this.#left <= this.#times.length / 2) return;
    this.#times = this.#times.slice(this.#left);
    this.#left = 0;
  }
}

/**
 * Makes an empty window.
 *
 * @throws InvalidParameterError, UnsupportedDimensionError
 */
export function createWindowDbscan(options: WindowDbscanOptions): WindowDbscan {
  checkArguments(arguments.length, 'createWindowDbscan(options)');
  checkKnownOptions(options, [...OPTION_NAMES, 'window'], 'options', 'an object such as {eps, minPts, dim, window}');
  const {window, ...rest} = options;
  checkWindow(window);
  return new WindowDbscan(createDynamicDbscan(rest), window);
}

/**
 * A window as it was when its snapshot was taken.
 *
 * @throws InvalidParameterError  if the snapshot is damaged, or of no window
 */
export function restoreWindowDbscan(bytes: Uint8Array): WindowDbscan {
  checkArguments(arguments.length, 'restoreWindowDbscan(bytes)');
  const dynamic = restoreDynamicDbscan(bytes);
  const {extra, pointCount: n} = dynamic;
  if (!isState(extra)) throw new InvalidParameterError('snapshot', 'no window', 'a file of a window');
  checkWindow(extra.window);
  // A snapshot of other points may come with the state of a window.
  dynamic.clusterOf(Float64Array.from({length: n}, (_, k) => extra.firstId + k));
  if ('duration' in extra.window && extra.times.length !== n) {
    throw new InvalidParameterError('snapshot', `${extra.times.length} times`, `${n}, one a point`);
  }
  return new WindowDbscan(dynamic, extra.window);
}

function checkWindow(window: Window): void {
  checkKnownOptions(window, ['duration', 'count'], 'window', 'an object such as {duration: 300}');
  const {duration, count}: {duration?: number; count?: number} = window;
  if ((duration === undefined) === (count === undefined)) {
    throw new InvalidParameterError('window', window, '{duration} or {count}, one of the two');
  }
  if (count !== undefined) checkInteger('window.count', count, 1);
  if (duration !== undefined && !(Number.isFinite(duration) && duration >= 0)) {
    throw new InvalidParameterError('window.duration', duration, 'a finite number ≥ 0');
  }
}

function isState(extra: unknown): extra is WindowState {
  if (typeof extra !== 'object' || extra === null) return false;
  const {window, now, firstId, times}: Partial<Record<keyof WindowState, unknown>> = extra;
  const isNumber = (value: unknown): boolean => typeof value === 'number';
  const areTimes = Array.isArray(times) && times.every(isNumber) && (now === null || isNumber(now));
  return window !== undefined && Number.isInteger(firstId) && areTimes;
}
