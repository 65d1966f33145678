import {IntList} from './arrays.ts';
import type {CellGeometry} from './cellGeometry.ts';
import {ClusterGraph} from './clusterGraph.ts';
import {Ball, type CoreTest} from './coreTest.ts';
import {CountTest} from './countTest.ts';
import {PointStore} from './pointStore.ts';
import {spatialOrder} from './spatialOrder.ts';
import {WeightTest} from './weightTest.ts';

/** One batch, checked. Each slot occurs once. */
export interface Batch {
  /** Slots of points to remove and to move. */
  readonly removed: ArrayLike<number>;
  readonly moved: ArrayLike<number>;
  /** Where they go to, point-major. */
  readonly movedTo: Float64Array;
  /** New points: ascending ids that are not in use, coordinates, and weights if points have any. */
  readonly ids: Float64Array;
  readonly inserted: Float64Array;
  readonly weights?: Float64Array | undefined;
}

/** Batches of as many changes, and of this share of the points, count all neighbours again, cell by cell. */
const REBUILD_FROM = 256;
const REBUILD_SHARE = 0.2;

/** Points, core points and clusters, up to date after each batch. */
export class Engine {
  readonly store: PointStore;
  readonly ball: Ball;
  readonly graph: ClusterGraph;
  readonly weightTest: WeightTest | undefined;
  readonly #test: CoreTest;
  readonly #changed = new IntList();
  /** Cells that points left. */
  readonly #left = new IntList();
  #isRebuilt = false;
  /** A point that is taken out. */
  readonly #point: Float64Array;

  /** @param limit  the bound of squared distances */
  constructor(geometry: CellGeometry, limit: number, minPts: number, hasWeights: boolean) {
    this.store = new PointStore(geometry);
    this.ball = new Ball(this.store, limit);
    this.graph = new ClusterGraph(this.store, this.ball);
    this.#point = new Float64Array(geometry.dim);
    if (hasWeights) this.weightTest = new WeightTest(this.store, this.ball, minPts);
    this.#test = this.weightTest ?? new CountTest(this.store, this.ball, minPts);
  }

  apply({removed, moved, movedTo, ids, inserted, weights}: Batch): void {
    const {store} = this;
    const changes = removed.length + moved.length + ids.length;
    this.#isRebuilt = changes >= REBUILD_FROM && changes > REBUILD_SHARE * (store.count + ids.length);
    for (let k = 0; k < removed.length; k++) {
      this.#take(removed[k]);
      store.removeSlot(removed[k]);
    }
    for (let k = 0; k < moved.length; k++) {
      if (store.isCore(moved[k])) this.graph.willMove(moved[k]);
      this.#take(moved[k]);
    }
    for (let k = 0; k < moved.length; k++) this.#put(moved[k], movedTo, k);
    store.reserve(ids.length);
    const order = this.#isRebuilt ? spatialOrder(inserted, store.cells.geometry) : undefined;
    for (let i = 0; i < ids.length; i++) {
      const k = order === undefined ? i : order[i];
      const slot = store.addSlot(ids[k]);
      if (weights !== undefined) this.weightTest?.setWeight(slot, weights[k]);
      this.#put(slot, inserted, k);
    }
    if (this.#isRebuilt) this.#test.changedAll(this.#changed);
    this.#decide();
    this.graph.finish();
    this.#dropEmptyCells();
  }

  #take(slot: number): void {
    const {store} = this;
    const cell = store.cellOf[slot];
    const at = store.positionOf[slot] * store.dim;
    for (let d = 0; d < store.dim; d++) this.#point[d] = store.coords[at + d];
    if (store.isCore(slot)) this.graph.lose(cell, this.#point, 0);
    store.take(slot);
    if (!this.#isRebuilt) this.#test.removed(cell, this.#point, 0, this.weightTest?.weights[slot] ?? 1, this.#changed);
    this.#left.push(cell);
  }

  #put(slot: number, coords: Float64Array, index: number): void {
    this.store.put(slot, coords, index * this.store.dim);
    if (!this.#isRebuilt) this.#test.added(slot, this.#changed);
  }

  /** Finds the points that became core, or stopped to be, once all points are in their places. */
  #decide(): void {
    const {store} = this;
    for (let k = 0; k < this.#changed.length; k++) {
      const slot = this.#changed.values[k];
      const cell = store.cellOf[slot];
      if (cell < 0) continue;
      const isCore = this.#test.isEnough(slot);
      if (isCore === store.isCore(slot)) continue;
      if (!isCore) this.graph.lose(cell, store.coords, store.positionOf[slot] * store.dim);
      store.setCore(slot, isCore);
      if (isCore) this.graph.gain(slot);
    }
    this.#changed.clear();
  }

  #dropEmptyCells(): void {
    const {cells, size} = this.store;
    for (let k = 0; k < this.#left.length; k++) {
      const cell = this.#left.values[k];
      if (size[cell] !== 0) continue;
      // A cell that several points left is dropped once.
      size[cell] = -1;
      cells.remove(cell);
    }
    for (let k = 0; k < this.#left.length; k++) {
      if (size[this.#left.values[k]] < 0) size[this.#left.values[k]] = 0;
    }
    this.#left.clear();
  }
}
