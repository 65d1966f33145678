import {DistinctPositions} from '@epsball/clustering';
import {ITEMS_PER_PAUSE, type Resumable} from '../resumable.ts';

/** Cells of groups in a bandwidth: modes of one heap fall into few groups, and every group is small. */
export const GROUPS_PER_BANDWIDTH = 4;

export interface ModeGroups {
  readonly dim: number;
  /** Group of each mode; −1: its trajectory has met no point. Groups are numbered by their first mode. */
  readonly groupOf: Int32Array;
  /** g · dim sums of the coordinates of each group's modes. */
  readonly sums: Float64Array;
  readonly sizes: Int32Array;
  readonly first: Int32Array;
}

/** @param isLost  1: leave the mode out */
export function* groupModes(
  shifted: Float64Array,
  dim: number,
  bandwidth: number,
  isLost: Uint8Array | undefined,
  cells: number = GROUPS_PER_BANDWIDTH,
): Resumable<ModeGroups> {
  const m = shifted.length / dim;
  const scale = cells / bandwidth;
  const indices = new Float64Array(shifted.length);
  for (let k = 0; k < indices.length; k++) {
    if (k % ITEMS_PER_PAUSE === 0) yield 0;
    const index = Math.floor(shifted[k] * scale);
    // The coordinate itself if cells are too small for float64.
    indices[k] = Number.isFinite(index) ? index : shifted[k];
  }
  const groups = new DistinctPositions(indices, dim);
  const groupOf = new Int32Array(m).fill(-1);
  for (let i = 0; i < m; i++) {
    if (i % ITEMS_PER_PAUSE === 0) yield 0;
    if (isLost?.[i] !== 1) groupOf[i] = groups.add(i);
  }
  const first = Int32Array.from({length: groups.count}, (_, g) => groups.pointAt(g));
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
