import {checkKnownOptions, filled, InvalidParameterError, NOISE, toPoints, type PointsInput} from '@epsball/clustering';
import {checkArguments, checkJson, checkList} from './checks.ts';
import type {ClusterChange} from './changeLog.ts';
import {Engine} from './engine.ts';
import {Labeller} from './labeller.ts';
import {checkOptions, checkPoints, checkWeights, type CheckedOptions, type DynamicDbscanOptions} from './options.ts';
import {PointHistory, type PointChanges} from './pointHistory.ts';
import {readSnapshot, writeSnapshot, type Snapshot} from './snapshot.ts';

/** One change of the points; all of it happens at once. */
export interface PointUpdate {
  /** Ids of points to remove. */
  readonly remove?: ArrayLike<number> | undefined;
  /** Ids of points to move, and where to, in this order. */
  readonly move?: {readonly ids: ArrayLike<number>; readonly points: PointsInput} | undefined;
  /** New points. */
  readonly insert?: PointsInput | undefined;
  /** A weight for each new point, if points have weights. */
  readonly sampleWeight?: ArrayLike<number> | undefined;
}

/** Labels of the points that are there, by ascending id. The caller owns the arrays. */
export interface PointLabels<Labels> {
  readonly ids: Float64Array;
  readonly labels: Labels;
}

/** The clusters that are there, by ascending id. The caller owns the arrays. */
export interface Clusters {
  readonly ids: Float64Array;
  /** Numbers of core points. */
  readonly sizes: Int32Array;
}

const NO_IDS: ArrayLike<number> = [];

/**
 * Exact DBSCAN of points that come and go; made by `createDynamicDbscan` or `restoreDynamicDbscan`.
 *
 * After an error of a method all is as before its call.
 *
 * @complexity  A change of one point visits the cells within eps of it, 24 in 2-D, 124 in 3-D and 848 in 4-D at most,
 *              and up to 2 · minPts points in each of them: a constant. Not constant are
 *              - a merge, which visits the cells of the smaller cluster
 *              - a split, which visits those of the smaller part, and a lost link on a ring, which visits half of it
 *              - weights: all points within eps are visited
 *              - dense cells just more than eps apart: all pairs of their core points near each other, at each change
 *              Memory is proportional to the largest number of points so far
 */
export class DynamicDbscan {
  /** Of the snapshot that this clustering was restored from; else null. */
  readonly extra: unknown;
  readonly #checked: CheckedOptions;
  readonly #engine: Engine;
  readonly #labeller: Labeller;
  readonly #history: PointHistory;
  #nextId = 0;

  /** @param snapshot  of `snapshot()`. Default: no points */
  constructor(options: DynamicDbscanOptions, snapshot?: Snapshot) {
    this.#checked = checkOptions(options);
    const {geometry, limit} = this.#checked;
    this.#engine = new Engine(geometry, limit, options.minPts, options.sampleWeight === true);
    this.#labeller = new Labeller(this.#engine);
    this.#history = new PointHistory();
    this.extra = snapshot?.extra ?? null;
    if (snapshot !== undefined) this.#nextId = snapshot.fill(this.#engine, this.#history);
  }

  /** Number of points. */
  get pointCount(): number {
    return this.#engine.store.count;
  }

  /**
   * Adds points.
   *
   * @param points   as for `toPoints`; not modified
   * @param options  `sampleWeight`: a weight for each point, if points have weights
   * @returns        an id for each point: ascending integers, never used before; owned by the caller
   * @throws InvalidParameterError, InvalidPointsError
   */
  insert(points: PointsInput, options: Pick<PointUpdate, 'sampleWeight'> = {}): Float64Array {
    checkArguments(arguments.length, 'insert(points, options)');
    checkWeightOptions(options);
    return this.update({insert: toPoints(points), ...options});
  }

  /** Checks points as `insert` does, and adds none. @throws InvalidParameterError, InvalidPointsError */
  check(points: PointsInput, options: Pick<PointUpdate, 'sampleWeight'> = {}): void {
    checkArguments(arguments.length, 'check(points, options)');
    checkWeightOptions(options);
    const {sampleWeight} = options;
    const n = checkPoints(points, this.#checked).length / this.#checked.geometry.dim;
    checkWeights(sampleWeight, n, this.#checked);
  }

  /** Removes points. @throws InvalidParameterError  if an id is unknown, or occurs twice; names the first */
  remove(ids: ArrayLike<number>): void {
    checkArguments(arguments.length, 'remove(ids)');
    checkList('ids', ids);
    this.update({remove: ids});
  }

  /**
   * Moves points at once; they keep their ids and weights.
   *
   * @throws InvalidParameterError, InvalidPointsError
   */
  move(ids: ArrayLike<number>, points: PointsInput): void {
    checkArguments(arguments.length, 'move(ids, points)');
    this.update({move: {ids, points}});
  }

  /**
   * Removes, moves and adds points as one batch: clusters before and after it are compared.
   *
   * @returns  ids of the new points
   * @throws InvalidParameterError  if an id is unknown, or occurs twice; names the first
   * @throws InvalidPointsError     if points are not valid
   */
  update(change: PointUpdate): Float64Array {
    checkArguments(arguments.length, 'update(change)');
    checkKnownOptions(change, ['remove', 'move', 'insert', 'sampleWeight'], 'change', 'an object such as {remove}');
    const {remove = NO_IDS, move, insert = [], sampleWeight} = change;
    if (move !== undefined) checkKnownOptions(move, ['ids', 'points'], 'move', 'an object with ids and points');
    const {dim} = this.#checked.geometry;
    const movedTo = move === undefined ? new Float64Array(0) : checkPoints(move.points, this.#checked);
    const inserted = checkPoints(insert, this.#checked);
    const n = inserted.length / dim;
    const weights = checkWeights(sampleWeight, n, this.#checked);
    const movedIds = move === undefined ? NO_IDS : move.ids;
    checkList('remove', remove);
    checkList('ids', movedIds);
    if (movedIds.length !== movedTo.length / dim) {
      throw new InvalidParameterError('move.ids.length', movedIds.length, `${movedTo.length / dim}, one id a point`);
    }
    const [removed, moved] = this.#slotsOf([remove, movedIds]);
    const ids = new Float64Array(n);
    for (let k = 0; k < n; k++) ids[k] = this.#nextId + k;
    this.#engine.apply({removed, moved, movedTo, ids, inserted, weights});
    this.#nextId += n;
    this.#labeller.forget();
    return ids;
  }

  /**
   * The cluster id of each point, −1 for noise. Equal to `dbscan` of the points in the order of their ids, but for the
   * numbers of clusters.
   *
   * @complexity  O(n log n), and for a border point the core points in the cells around it
   */
  labels(): PointLabels<Float64Array> {
    const {ids} = this.#engine.graph.clusters;
    return this.#labelled(Float64Array, (component) => ids[component]);
  }

  /** The labels of `dbscan` of the points in the order of their ids, to the byte; as `labels`. */
  canonicalLabels(): PointLabels<Int32Array> {
    return this.#labelled(Int32Array, (component) => this.#labeller.ranks()[component]);
  }

  /**
   * The cluster ids of some points, −1 for noise.
   *
   * @throws InvalidParameterError  if an id is unknown
   * @complexity  constant for a core point; the points around for others; O(n log n) once after a change if a point
   *              is within eps of core points of two clusters
   */
  clusterOf(ids: ArrayLike<number>): Float64Array {
    checkArguments(arguments.length, 'clusterOf(ids)');
    checkList('ids', ids);
    const names = this.#engine.graph.clusters.ids;
    return Float64Array.from(ids, (id, k) => {
      const component = this.#labeller.componentOf(this.#slotOf(id, k));
      return component < 0 ? NOISE : names[component];
    });
  }

  /** The clusters that are there. Ids are integers that are never used again. */
  clusters(): Clusters {
    const {components, clusters} = this.#engine.graph;
    const found = [];
    for (let c = 0; c < components.end; c++) {
      if (components.cells[c] > 0) found.push({id: clusters.ids[c], size: components.points[c]});
    }
    found.sort((a, b) => a.id - b.id);
    return {ids: Float64Array.from(found, ({id}) => id), sizes: Int32Array.from(found, ({size}) => size)};
  }

  /**
   * What became of clusters since the last call: deaths, merges, splits, births, and other sizes; each by id. They
   * follow from the batches alone. Clusters that came and went in between are left out.
   *
   * A cluster lives on in the component with most of its core points before the batch, at ties in that of the smallest
   * id among them. Where several live on in one, the one that gives most keeps its id, at ties the smallest id.
   */
  changes(): ClusterChange[] {
    return this.#engine.graph.clusters.takeChanges();
  }

  /**
   * Points whose cluster is another one than at the last call, new points included, by id.
   *
   * @complexity  O(n log n); keeps 16 bytes a point from the first call on
   */
  pointChanges(): PointChanges {
    return this.#history.compare(this.labels());
  }

  /**
   * All of the state as one file, for `restoreDynamicDbscan`.
   *
   * @param extra  what JSON keeps, such as the place in a stream; `extra` of the restored clustering
   * @throws InvalidParameterError  if JSON does not keep it
   */
  snapshot(extra: unknown = null): Uint8Array {
    checkArguments(arguments.length, 'snapshot(extra)');
    checkJson(extra);
    const slots = this.#labeller.slots();
    return writeSnapshot(this.#checked.options, this.#engine, this.#history, slots, this.#nextId, extra);
  }

  #labelled<Labels extends Float64Array | Int32Array>(
    construct: new (length: number) => Labels,
    nameOf: (component: number) => number,
  ): PointLabels<Labels> {
    const slots = this.#labeller.slots();
    this.#labeller.ranks(slots);
    const labels = new construct(slots.length);
    for (let k = 0; k < slots.length; k++) {
      const component = this.#labeller.componentOf(slots[k]);
      labels[k] = component < 0 ? NOISE : nameOf(component);
    }
    return {ids: filled(new Float64Array(slots.length), (k) => this.#engine.store.ids[slots[k]]), labels};
  }

  /** Slots of lists of ids, in which no id may occur twice. */
  #slotsOf(lists: readonly ArrayLike<number>[]): Int32Array[] {
    const named = new Set<number>();
    return lists.map((ids) =>
      Int32Array.from(ids, (id, k) => {
        const slot = this.#slotOf(id, k);
        if (named.has(slot)) throw new InvalidParameterError(`ids[${k}]`, id, 'an id that occurs once');
        named.add(slot);
        return slot;
      }),
    );
  }

  #slotOf(id: number, k: number): number {
    const slot = Number.isInteger(id) ? this.#engine.store.slotOf(id) : -1;
    if (slot < 0) throw new InvalidParameterError(`ids[${k}]`, id, 'the id of a point that is there');
    return slot;
  }
}

function checkWeightOptions(options: Pick<PointUpdate, 'sampleWeight'>): void {
  checkKnownOptions(options, ['sampleWeight'], 'options', 'an object such as {sampleWeight}');
}

/**
 * Makes a clustering without points.
 *
 * @throws InvalidParameterError, UnsupportedDimensionError
 * @source  Gan and Tao 2017, Dynamic Density Based Clustering; Ester et al. 1998, Incremental Clustering for Mining in
 *          a Data Warehousing Environment
 */
export function createDynamicDbscan(options: DynamicDbscanOptions): DynamicDbscan {
  checkArguments(arguments.length, 'createDynamicDbscan(options)');
  return new DynamicDbscan(options);
}

/**
 * A clustering as it was when its snapshot was taken: points, ids, clusters, and changes that were not read.
 *
 * @param bytes  of `snapshot()`; not modified
 * @throws InvalidParameterError  if the snapshot is damaged, or of another version
 */
export function restoreDynamicDbscan(bytes: Uint8Array): DynamicDbscan {
  checkArguments(arguments.length, 'restoreDynamicDbscan(bytes)');
  const snapshot = readSnapshot(bytes);
  return new DynamicDbscan(snapshot.options, snapshot);
}
