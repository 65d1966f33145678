import type {Tiling} from './tiling.ts';

/** Points with the tiles that read them: tile `tiles[k]` reads point `points[k]`. */
export interface RoutedPoints {
  readonly tiles: Int32Array;
  readonly points: Int32Array;
}

/** Finds the tiles that read a point: the tile that owns it, and the tiles that have it in their halos. */
export class TileRouter {
  readonly #axis: Int32Array;
  readonly #at: Float64Array;
  readonly #below: Int32Array;
  readonly #above: Int32Array;
  readonly #reach: number;
  readonly #dim: number;
  readonly #pending: Int32Array;
  readonly #tileCount: number;

  /** @param reach  `reachOf(eps)` */
  constructor({cuts, dim, tileCount}: Tiling, reach: number) {
    this.#axis = Int32Array.from(cuts, ({axis}) => axis);
    this.#at = Float64Array.from(cuts, ({at}) => at);
    this.#below = Int32Array.from(cuts, ({below}) => below);
    this.#above = Int32Array.from(cuts, ({above}) => above);
    this.#reach = reach;
    this.#dim = dim;
    this.#tileCount = tileCount;
    this.#pending = new Int32Array(cuts.length + 1);
  }

  /**
   * Lists all points with the tiles that read them, in the order of points. The first tile of a point is its owner.
   *
   * A tile has a point in its halo if, on each axis, the point is in its box or `fl(|x − face|) ≤ reach`. No point of
   * the box is nearer on that axis than the face, so the halo holds all neighbours of the tile's points.
   *
   * @param coords  points of the tiling's dimension; not modified
   * @complexity    O(n · depth), and O(1) for each halo that has a point
   */
  route(coords: Float32Array | Float64Array): RoutedPoints {
    const n = coords.length / this.#dim;
    let tiles = new Int32Array(n + (n >> 3) + this.#tileCount);
    let points = new Int32Array(tiles.length);
    let length = 0;
    for (let i = 0; i < n;) {
      // Room for a point in all tiles, checked once for many points.
      const end = Math.min(n, i + Math.floor((tiles.length - length) / this.#tileCount));
      length = this.#routeRange(coords, i, end, tiles, points, length);
      i = end;
      if (tiles.length - length < this.#tileCount) {
        tiles = grown(tiles);
        points = grown(points);
      }
    }
    return {tiles: tiles.subarray(0, length), points: points.subarray(0, length)};
  }

  #routeRange(
    coords: Float32Array | Float64Array,
    start: number,
    end: number,
    tiles: Int32Array,
    points: Int32Array,
    length: number,
  ): number {
    // Locals: the loop below takes half the time of one that reads fields.
    const [axis, at, below, above] = [this.#axis, this.#at, this.#below, this.#above];
    const [dim, reach, pending] = [this.#dim, this.#reach, this.#pending];
    const root = at.length === 0 ? ~0 : 0;
    for (let i = start; i < end; i++) {
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
    return length;
  }
}

function grown(values: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(values.length + (values.length >> 1) + 1024);
  larger.set(values);
  return larger;
}
