/** How an iteration is divided into dispatches. */
export interface SliceLimits {
  /** Most pairs of a position and a point in a dispatch. */
  readonly pairs: number;
  /** Points are divided at multiples of the tile width. A workgroup of the tiled kernel takes no fewer. */
  readonly tileWidth: number;
  /** Positions of a workgroup. */
  readonly span: number;
  /** Workgroups that fill the device. */
  readonly groups: number;
  /** Most words of partial sums. */
  readonly partialWords: number;
}

/** One dispatch: slots [firstSlot, firstSlot + slots), points [begin, end), in `parts`. */
export interface Slice {
  readonly firstSlot: number;
  readonly slots: number;
  readonly begin: number;
  readonly end: number;
  readonly parts: number;
  readonly pointsPerPart: number;
}

/** Most slots in a dispatch: their sums fit in a binding of any device. */
export const SLOTS_MAX: number = 2 ** 20;

/**
 * Divides an iteration over `moving` slots and n points. Dispatches of the same slots follow each other, through all
 * points, and have the same number of parts; the last has `end` = n.
 *
 * @param rows  words that a part stores for a slot: dim + 1
 */
export function* shiftSlices(n: number, moving: number, rows: number, limits: SliceLimits): Generator<Slice> {
  const {pairs, tileWidth, span} = limits;
  const slotsMax = Math.min(SLOTS_MAX, Math.max(span, Math.floor(pairs / tileWidth)));
  for (let firstSlot = 0; firstSlot < moving; firstSlot += slotsMax) {
    const slots = Math.min(slotsMax, moving - firstSlot);
    const tilesMax = Math.max(1, Math.floor(pairs / (slots * tileWidth)));
    const allTiles = Math.ceil(n / tileWidth);
    // Dispatches of equal size: a short last one would leave much of a device idle.
    const tiles = Math.ceil(allTiles / Math.ceil(allTiles / tilesMax));
    const wanted = Math.ceil(limits.groups / Math.ceil(slots / span));
    const allowed = Math.max(1, Math.floor(limits.partialWords / (rows * slots)));
    const tilesPerPart = Math.ceil(tiles / Math.min(wanted, allowed, tiles));
    const pointsPerPart = tilesPerPart * tileWidth;
    // The last dispatch may have fewer points, and then empty parts, which do not change their sums.
    const parts = Math.ceil(tiles / tilesPerPart);
    for (let begin = 0; begin < n; begin += tiles * tileWidth) {
      yield {firstSlot, slots, begin, end: Math.min(begin + tiles * tileWidth, n), parts, pointsPerPart};
    }
  }
}
