import type {Tiling} from './tiling.ts';

/** Finds the tiles that read a point: the tile that owns it, and the tiles that have it in their halos. */
export class TileRouter {
  readonly #axis: Int32Array;
  readonly #at: Float64Array;
  readonly #below: Int32Array;
  readonly #above: Int32Array;
  readonly #reach: number;
  readonly #dim: number;
  readonly #pending: Int32Array;

  /** @param reach  `reachOf(eps)` */
  constructor({cuts, dim}: Tiling, reach: number) {
    this.#axis = Int32Array.from(cuts, ({axis}) => axis);
    this.#at = Float64Array.from(cuts, ({at}) => at);
    this.#below = Int32Array.from(cuts, ({below}) => below);
    this.#above = Int32Array.from(cuts, ({above}) => above);
    this.#reach = reach;
    this.#dim = dim;
    this.#pending = new Int32Array(cuts.length + 1);
  }

  /**
   * Lists the tiles that read point i. The first is the owner.
   *
   * A tile has the point in its halo if, on each axis, the point is in its box or `fl(|x − face|) ≤ reach`. No point
   * of the box is nearer on that axis than the face, so the halo holds all neighbours of the tile's points.
   *
   * @param tiles  receives the tiles; needs room for all tiles
   * @returns      number of tiles
   * @complexity   O(depth) for a point far from all cuts
   */
  route(coords: Float32Array | Float64Array, i: number, tiles: Int32Array): number {
    if (this.#at.length === 0) {
      tiles[0] = 0;
      return 1;
    }
    const pending = this.#pending;
    const start = i * this.#dim;
    let count = 0;
    let depth = 0;
    pending[depth++] = 0;
    while (depth > 0) {
      let node = pending[--depth];
      // The path to the owner comes first, because a near side is visited before the pending far sides.
      while (node >= 0) {
        const x = coords[start + this.#axis[node]];
        const at = this.#at[node];
        if (x < at) {
          if (at - x <= this.#reach) pending[depth++] = this.#above[node];
          node = this.#below[node];
        } else {
          if (x - at <= this.#reach) pending[depth++] = this.#below[node];
          node = this.#above[node];
        }
      }
      tiles[count++] = ~node;
    }
    return count;
  }
}
