import {MAX_GRID_DIM} from '@epsball/spatial-grid';

/** Axes of cells if there are more dimensions than the grid of points takes: a search reads 9 cells instead of 81. */
const FILTER_AXES = 2;

/** Ratio of the cells of a coarser grid to those of the next finer one, and most levels. */
const COARSER = 2;
const COARSEST = 16;

/** Slots of a new table. It doubles when it is half full. */
const FIRST_SLOTS = 256;

/** Multipliers of a multiplicative hash, one for each axis: odd, with well mixed bits. */
const MIX = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f] as const;

/** Cluster centres hashed by cells of side `bandwidth`: those within a bandwidth are in the 3^axes cells around. */
export class CenterGrid {
  readonly dim: number;
  readonly #bandwidth: number;
  readonly #axes: number;
  readonly #coords: number[] = [];
  /** Last centre of each slot, and for each centre the one before it in its slot; −1: none. */
  #last = new Int32Array(FIRST_SLOTS).fill(-1);
  readonly #before: number[] = [];
  readonly #cell: Float64Array;
  #level = 0;
  #coarser: CenterGrid | undefined;

  constructor(dim: number, bandwidth: number) {
    this.dim = dim;
    this.#bandwidth = bandwidth;
    this.#axes = dim > MAX_GRID_DIM ? FILTER_AXES : dim;
    this.#cell = new Float64Array(this.#axes);
  }

  get count(): number {
    return this.#before.length;
  }

  get coords(): Float64Array {
    return Float64Array.from(this.#coords);
  }

  add(coords: ArrayLike<number>, from: number): void {
    for (let d = 0; d < this.dim; d++) this.#coords.push(coords[from + d]);
    this.#before.push(-1);
    if (2 * this.count <= this.#last.length) {
      this.#link(this.count - 1);
      return;
    }
    this.#last = new Int32Array(2 * this.#last.length).fill(-1);
    for (let c = 0; c < this.count; c++) this.#link(c);
  }

  /** The nearest centre within a bandwidth, d² ≤ bandwidth²; the first of several nearest ones; −1 if there is none. */
  nearestWithin(coords: ArrayLike<number>, from: number): number {
    const reach = this.#bandwidth * this.#bandwidth;
    const neighbors = 3 ** this.#axes;
    if (this.count <= neighbors) return this.#nearestOfAll(coords, from, reach);
    this.#findCell(coords, from);
    let nearest = -1;
    let least = reach;
    for (let k = 0; k < neighbors; k++) {
      for (let c = this.#last[this.#slotOf(k)]; c >= 0; c = this.#before[c]) {
        const d2 = this.#squaredDistance(coords, from, c);
        if (d2 > least || (d2 === least && nearest >= 0 && c >= nearest)) continue;
        nearest = c;
        least = d2;
      }
    }
    return nearest;
  }

  /** The nearest centre at any distance; the first of several nearest ones. */
  nearest(coords: ArrayLike<number>, from: number): number {
    if (this.count <= 3 ** this.#axes) return this.#nearestOfAll(coords, from, Infinity);
    const within = this.nearestWithin(coords, from);
    if (within >= 0) return within;
    if (this.#level === COARSEST) return this.#nearestOfAll(coords, from, Infinity);
    return this.#coarserGrid().nearest(coords, from);
  }

  /** The same centres in wider cells. Created when it is first needed, and again after more centres were added. */
  #coarserGrid(): CenterGrid {
    if (this.#coarser?.count === this.count) return this.#coarser;
    const coarser = new CenterGrid(this.dim, COARSER * this.#bandwidth);
    coarser.#level = this.#level + 1;
    for (let c = 0; c < this.count; c++) coarser.add(this.#coords, c * this.dim);
    this.#coarser = coarser;
    return coarser;
  }

  /** The nearest centre with d² ≤ reach, or −1. */
  #nearestOfAll(coords: ArrayLike<number>, from: number, reach: number): number {
    let nearest = -1;
    let least = reach;
    for (let c = 0; c < this.count; c++) {
      const d2 = this.#squaredDistance(coords, from, c);
      if (d2 > least || (d2 === least && nearest >= 0)) continue;
      nearest = c;
      least = d2;
    }
    return nearest;
  }

  #squaredDistance(coords: ArrayLike<number>, from: number, center: number): number {
    const {dim} = this;
    let d2 = 0;
    for (let d = 0; d < dim; d++) {
      const delta = coords[from + d] - this.#coords[center * dim + d];
      d2 += delta * delta;
    }
    return d2;
  }

  #link(center: number): void {
    this.#findCell(this.#coords, center * this.dim);
    const slot = this.#slotOf((3 ** this.#axes - 1) / 2);
    this.#before[center] = this.#last[slot];
    this.#last[slot] = center;
  }

  #findCell(coords: ArrayLike<number>, from: number): void {
    // Slightly wider than the bandwidth: rounding must not put a cell between two positions within a bandwidth.
    const side = this.#bandwidth * (1 + 2 ** -19);
    for (let d = 0; d < this.#axes; d++) this.#cell[d] = Math.floor(coords[from + d] / side);
  }

  /** Slot of neighbour k of the cell. The cell itself is the middle one of 3^axes. */
  #slotOf(k: number): number {
    let hash = 0;
    for (let d = 0, r = k; d < this.#axes; d++, r = Math.floor(r / 3)) {
      hash ^= Math.imul(this.#cell[d] + (r % 3) - 1, MIX[d]);
      hash ^= hash >>> 15;
    }
    return hash & (this.#last.length - 1);
  }
}
