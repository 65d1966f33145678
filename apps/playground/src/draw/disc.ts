/** Places of a centre in its pixel that are told apart, on each axis. */
const PLACES = 8;

/** The pixels that a disc covers, for each place of its centre in a pixel. */
export interface Disc {
  /** Parts of `offsets` and `coverage`; place `p` has those from `starts[p]` to `starts[p + 1]`. */
  readonly starts: Int32Array;
  /** Index of a pixel relative to the centre's pixel, times `scale`. */
  readonly offsets: Int32Array;
  /** Share of the pixel that the disc covers, > 0. */
  readonly coverage: Float32Array;
}

/**
 * @param radius  in pixels
 * @param stride  pixels of a row
 * @param scale   array elements of a pixel
 */
export function discOf(radius: number, stride: number, scale: number): Disc {
  const reach = reachOf(radius);
  const starts = new Int32Array(PLACES * PLACES + 1);
  const offsets: number[] = [];
  const coverage: number[] = [];
  for (let place = 0; place < PLACES * PLACES; place++) {
    const [px, py] = [(place % PLACES) / PLACES, Math.floor(place / PLACES) / PLACES];
    for (let y = -reach; y <= reach; y++) {
      for (let x = -reach; x <= reach; x++) {
        // From the middle of the place to the middle of the pixel.
        const distance = Math.hypot(px - x + 0.5 / PLACES - 0.5, py - y + 0.5 / PLACES - 0.5);
        const covered = Math.min(1, radius + 0.5 - distance);
        if (covered <= 0) continue;
        offsets.push(scale * (y * stride + x));
        coverage.push(covered);
      }
    }
    starts[place + 1] = offsets.length;
  }
  return {starts, offsets: Int32Array.from(offsets), coverage: Float32Array.from(coverage)};
}

/** Pixels from the centre's pixel to the outermost one. */
export function reachOf(radius: number): number {
  return Math.ceil(radius + 0.5);
}

/** The place of a centre whose coordinates are `x` and `y` beyond the corner of its pixel, both < 1. */
export function placeIn(x: number, y: number): number {
  return Math.floor(y * PLACES) * PLACES + Math.floor(x * PLACES);
}
