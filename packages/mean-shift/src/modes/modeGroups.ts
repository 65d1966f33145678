import {ITEMS_PER_PAUSE, type Resumable} from '../resumable.ts';

/** Cells of groups in a bandwidth: modes of one heap fall into few groups, and every group is small. */
export const GROUPS_PER_BANDWIDTH = 4;

/** Modes by small cells. */
export interface ModeGroups {
  readonly dim: number;
  /** Group of each mode; −1: its trajectory has met no point. Groups are numbered by their first mode. */
  readonly groupOf: Int32Array;
  /** g · dim sums of the coordinates of each group's modes. */
  readonly sums: Float64Array;
  /** Modes of each group. */
  readonly sizes: Int32Array;
  /** First mode of each group. */
  readonly first: Int32Array;
}

/**
 * Groups modes by small cells.
 *
 * @param isLost  1: leave the mode out
 * @param cells   cells in a bandwidth
 * @complexity    O(m · dim) expected: a hash table of cells
 */
export function* groupModes(
  shifted: Float64Array,
  dim: number,
  bandwidth: number,
  isLost: Uint8Array | undefined,
  cells: number = GROUPS_PER_BANDWIDTH,
): Resumable<ModeGroups> {
  const m = shifted.length / dim;
  const scale = cells / bandwidth;
  const groupOf = new Int32Array(m).fill(-1);
  const firsts: number[] = [];
  let slots = new Int32Array(1024).fill(-1);
  for (let i = 0; i < m; i++) {
    if (i % ITEMS_PER_PAUSE === 0) yield i;
    if (isLost?.[i] === 1) continue;
    if (2 * firsts.length >= slots.length) slots = rehash(shifted, dim, scale, firsts, 4 * slots.length);
    let slot = hashOf(shifted, dim, scale, i) & (slots.length - 1);
    while (slots[slot] >= 0 && !areTogether(shifted, dim, scale, firsts[slots[slot]], i)) {
      slot = (slot + 1) & (slots.length - 1);
    }
    if (slots[slot] < 0) {
      slots[slot] = firsts.length;
      firsts.push(i);
    }
    groupOf[i] = slots[slot];
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
  const slots = new Int32Array(length).fill(-1);
  for (let g = 0; g < firsts.length; g++) {
    let slot = hashOf(shifted, dim, scale, firsts[g]) & (length - 1);
    while (slots[slot] >= 0) slot = (slot + 1) & (length - 1);
    slots[slot] = g;
  }
  return slots;
}

/** FNV-1a over the axis indices of a mode's cell, and a final mix: the low bits choose the slot. */
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

/** An axis index; the coordinate itself if cells are too small for float64. */
function cellAt(x: number, scale: number): number {
  const cell = Math.floor(x * scale);
  return Number.isFinite(cell) ? cell : x;
}
