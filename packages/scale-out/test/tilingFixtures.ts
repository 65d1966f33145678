import type {CutTree} from '../src/tiling/tiling.ts';

const repeat = (count: number, x: number, y: number): number[][] => Array.from({length: count}, () => [x, y]);

/** y < 3 and y ≥ 3. */
const below3: CutTree = {axis: 1, at: 3, below: undefined, above: undefined};

/**
 * The last point is a border point between two clusters of the tile y < 3. In that tile the lower cluster has the lower
 * number. The upper one continues through the tile y ≥ 3 to the first point of the data, so after the merge it has the
 * lower label.
 */
export const borderOfTwo = {
  points: {
    dim: 2,
    coords: Float64Array.from(
      [
        ...repeat(5, -1.2, 4.8),
        [-0.6, -0.75],
        [-1.2, -1.2],
        [-1.3, -1],
        [-1.2, -0.9],
        [-0.6, 0.75],
        [-1.3, 1],
        [-1.2, 0.9],
        ...repeat(5, -1.2, 1.2),
        ...repeat(5, -1.2, 2.1),
        ...repeat(5, -1.2, 3),
        ...repeat(5, -1.2, 3.9),
        [0.05, 0],
      ].flat(),
    ),
  },
  params: {eps: 1, minPts: 5},
};

/** The tile y < 3 owns the border point: it must report both clusters. */
export const borderOwned: CutTree = below3;

/** The tile x ≥ 0 owns the border point, and y < 3 has it in its halo: it must report both clusters. */
export const borderInHalo: CutTree = {axis: 0, at: 0, below: below3, above: undefined};
