import {TileLookup} from './tileLookup.ts';
import type {Tiling} from './tiling.ts';

/** Points with the tiles that read them: tile `tiles[k]` reads point `points[k]`. */
export interface RoutedPoints {
  readonly tiles: Int32Array;
  readonly points: Int32Array;
}

/**
 * Lists all points with the tiles that read them, in the order of points: the tile that owns the point, which comes
 * first, and the tiles that have it in their halos.
 *
 * A tile has a point in its halo if, on each axis, the point is in its box or `fl(|x − face|) ≤ reach`. No point of
 * the box is nearer on that axis than the face, so the halo holds all neighbours of the tile's points.
 *
 * @param reach   `reachOf(eps)`
 * @param coords  finite points of the tiling's dimension; not modified
 * @complexity    O(n) for points away from cuts, O(depth) for each of the others, and O(1) for each halo that has it
 */
export function routePoints(tiling: Tiling, reach: number, coords: Float32Array | Float64Array): RoutedPoints {
  const {cuts, dim, tileCount} = tiling;
  const lookup = new TileLookup(tiling, reach, {coords, dim});
  const axis = Int32Array.from(cuts, (cut) => cut.axis);
  const at = Float64Array.from(cuts, (cut) => cut.at);
  const below = Int32Array.from(cuts, (cut) => cut.below);
  const above = Int32Array.from(cuts, (cut) => cut.above);
  const pending = new Int32Array(cuts.length + 1);
  const root = cuts.length === 0 ? ~0 : 0;
  const n = coords.length / dim;
  let tiles = new Int32Array(n + (n >> 3) + tileCount);
  let points = new Int32Array(tiles.length);
  let length = 0;
  for (let i = 0; i < n; i++) {
    // Room for a point in all tiles.
    while (tiles.length - length < tileCount) {
      tiles = grown(tiles);
      points = grown(points);
    }
    const only = lookup.tileOf(i);
    if (only >= 0) {
      tiles[length] = only;
      points[length++] = i;
      continue;
    }
    let depth = 0;
    pending[depth++] = root;
    while (depth > 0) {
      let node = pending[--depth];
      // The near side comes before the pending far sides, so the owner comes first.
      while (node >= 0) {
        const difference = coords[i * dim + axis[node]] - at[node];
        if (difference < 0) {
          if (-difference <= reach) pending[depth++] = above[node];
          node = below[node];
        } else {
          if (difference <= reach) pending[depth++] = below[node];
          node = above[node];
        }
      }
      tiles[length] = ~node;
      points[length++] = i;
    }
  }
  return {tiles: tiles.subarray(0, length), points: points.subarray(0, length)};
}

function grown(values: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(values.length + (values.length >> 1) + 1024);
  larger.set(values);
  return larger;
}
