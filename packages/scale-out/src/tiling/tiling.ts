/**
 * An inner node of a kd tree. Points with `coordinate < at` lie below, all others above. A child ≥ 0 is the index of a
 * node; a child c < 0 is tile ~c.
 */
interface Cut {
  readonly axis: number;
  readonly at: number;
  readonly below: number;
  readonly above: number;
}

/**
 * Space divided into half-open boxes. Serializes as JSON.
 *
 * Tiles are disjoint and cover all points. Two tiles are apart on the axis of the cut where their paths part.
 */
export interface Tiling {
  readonly dim: number;
  /** The root is `cuts[0]`. Without cuts there is one tile. */
  readonly cuts: readonly Cut[];
  readonly tileCount: number;
}

/** The box of a tile: low ≤ coordinate < high on each axis. Outer sides are infinite. */
export interface TileBox {
  readonly low: readonly number[];
  readonly high: readonly number[];
}

/** A tree under construction: what a cut divides, or undefined for a tile. */
export interface CutTree {
  readonly axis: number;
  readonly at: number;
  readonly below: CutTree | undefined;
  readonly above: CutTree | undefined;
}

/** Numbers the tiles of a tree of cuts from below to above. */
export function tilingFromCuts(dim: number, tree: CutTree | undefined): Tiling {
  const cuts: Cut[] = [];
  let tileCount = 0;
  const visit = (node: CutTree | undefined): number => {
    if (node === undefined) return ~tileCount++;
    const {axis, at} = node;
    const index = cuts.push({axis, at, below: 0, above: 0}) - 1;
    const below = visit(node.below);
    cuts[index] = {axis, at, below, above: visit(node.above)};
    return index;
  };
  visit(tree);
  return {dim, cuts, tileCount};
}

export function tileBoxes({dim, cuts, tileCount}: Tiling): TileBox[] {
  const boxes = Array.from<TileBox>({length: tileCount});
  const visit = (child: number, box: TileBox): void => {
    if (child < 0) {
      boxes[~child] = box;
      return;
    }
    const {axis, at, below, above} = cuts[child];
    // A cut outside the box leaves one side empty.
    visit(below, {low: box.low, high: box.high.with(axis, Math.min(at, box.high[axis]))});
    visit(above, {low: box.low.with(axis, Math.max(at, box.low[axis])), high: box.high});
  };
  const all = {low: Array<number>(dim).fill(-Infinity), high: Array<number>(dim).fill(Infinity)};
  visit(cuts.length === 0 ? ~0 : 0, all);
  return boxes;
}

/**
 * Replaces one tile by the tiles of another tiling. The first of them keeps the number, and the others follow the last
 * tile.
 *
 * @returns  the new tiling, and the numbers of the tiles that replace `tile`
 */
export function refineTiling(tiling: Tiling, tile: number, inner: Tiling): {tiling: Tiling; tiles: number[]} {
  const {cuts: outer, tileCount} = tiling;
  if (inner.cuts.length === 0) return {tiling, tiles: [tile]};
  const numberOf = (innerTile: number): number => (innerTile === 0 ? tile : tileCount + innerTile - 1);
  const shift = outer.length;
  const moved = (child: number): number => (child < 0 ? ~numberOf(~child) : child + shift);
  const replaced = (child: number): number => (child === ~tile ? shift : child);
  const cuts = [
    ...outer.map((cut) => ({...cut, below: replaced(cut.below), above: replaced(cut.above)})),
    ...inner.cuts.map((cut) => ({...cut, below: moved(cut.below), above: moved(cut.above)})),
  ];
  const tiles = Array.from({length: inner.tileCount}, (_, k) => numberOf(k));
  return {tiling: {dim: tiling.dim, cuts, tileCount: tileCount + inner.tileCount - 1}, tiles};
}
