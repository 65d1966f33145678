import {ITEMS_PER_PAUSE, type Resumable} from '../resumable.ts';

/** Sides of a group's cell in a bandwidth: modes of one clustered make few groups, and no group reaches far. */
export const GROUPS_PER_BANDWIDTH = 4;

/** Modes by the small cell that they lie in. */
export interface ModeGroups {
  readonly dim: number;
  /** Group of each mode; −1: lost. Groups are numbered by their first mode. */
  readonly groupOf: Int32Array;
  /** Coordinates of each group's modes, added up: g · dim. */
  readonly sums: Float64Array;
  /** Modes of each group. */
  readonly sizes: Int32Array;
  /** First mode of each group. */
  readonly first: Int32Array;
}

/**
 * Groups modes by cells of a quarter of a bandwidth.
 *
 * @param isLost  modes to leave out, 1 = lost
 * @complexity    O(m · dim) expected: a hash table of cells
 */
export function* groupModes(
  shifted: Float64Array,
  dim: number,
  bandwidth: number,
  isLost: Uint8Array | undefined,
): Resumable<ModeGroups> {
  const m = shifted.length / dim;
  const scale = GROUPS_PER_BANDWIDTH / bandwidth;
  const groupOf = new Int32Array(m).fill(-1);
  const firsts: number[] = [];
  let places = new Int32Array(1024).fill(-1);
  for (let i = 0; i < m; i++) {
    if (i % ITEMS_PER_PAUSE === 0) yield i;
    if (isLost?.[i] === 1) continue;
    if (2 * firsts.length >= places.length) places = rehash(shifted, dim, scale, firsts, 4 * places.length);
    let place = hashOf(shifted, dim, scale, i) & (places.length - 1);
    while (places[place] >= 0 && !areTogether(shifted, dim, scale, firsts[places[place]], i)) {
      place = (place + 1) & (places.length - 1);
    }
    if (places[place] < 0) {
      places[place] = firsts.length;
      firsts.push(i);
    }
    groupOf[i] = places[place];
  }
  const first = Int32Array.from(firsts);
  const sums = new Float64Array(first.length * dim);
  const sizes = new Int32Array(first.length);
  for (let i = 0; i < m; i++) {
    const g = groupOf[i];
    if (g < 0) continue;
    sizes[g]++;
    for (let d = 0; d < dim; d++) sums[g * dim + d] += shifted[i * dim + d];
  }
  return {dim, groupOf, sums, sizes, first};
}

function rehash(
  shifted: Float64Array,
  dim: number,
  scale: number,
  firsts: readonly number[],
  length: number,
): Int32Array<ArrayBuffer> {
  const places = new Int32Array(length).fill(-1);
  for (let g = 0; g < firsts.length; g++) {
    let place = hashOf(shifted, dim, scale, firsts[g]) & (length - 1);
    while (places[place] >= 0) place = (place + 1) & (length - 1);
    places[place] = g;
  }
  return places;
}

/** FNV-1a over the axis indices of a mode's cell, and a final mix: low bits choose the place. */
function hashOf(shifted: Float64Array, dim: number, scale: number, i: number): number {
  let hash = 0x811c9dc5;
  for (let d = 0; d < dim; d++) hash = Math.imul(hash ^ cellAt(shifted[i * dim + d], scale), 0x01000193);
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 7;
}

function areTogether(shifted: Float64Array, dim: number, scale: number, a: number, b: number): boolean {
  for (let d = 0; d < dim; d++) {
    if (cellAt(shifted[a * dim + d], scale) !== cellAt(shifted[b * dim + d], scale)) return false;
  }
  return true;
}

/** An axis index; the coordinate itself where cells are so small that float64 has no number for them. */
function cellAt(x: number, scale: number): number {
  const cell = Math.floor(x * scale);
  return Number.isFinite(cell) ? cell : x;
}
