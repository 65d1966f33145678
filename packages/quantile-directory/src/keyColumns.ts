/**
 * What a directory is ordered by: `levels` numbers a point. They are its first coordinates, or its projections on
 * principal axes.
 */
export interface KeyColumns {
  readonly values: Float32Array | Float64Array;
  /** Numbers from one point's first key to the next one's. */
  readonly stride: number;
}

/**
 * The 32-bit words by which a column of keys is ordered, least significant first, as unsigned integers.
 *
 * The order is IEEE 754 totalOrder: −0 before +0, subnormals where they belong. Integers, because a GPU sorts the same
 * keys and may flush subnormals in float comparisons.
 *
 * @returns  one array for float32, two for float64; by point
 */
export function orderedWords({values, stride}: KeyColumns, column: number, n: number): Uint32Array[] {
  const words = new Uint32Array(values.buffer, values.byteOffset, values.byteLength / 4);
  if (values instanceof Float32Array) {
    const ordered = new Uint32Array(n);
    for (let i = 0; i < n; i++) ordered[i] = ascending(words[i * stride + column]);
    return [ordered];
  }
  const lows = new Uint32Array(n);
  const highs = new Uint32Array(n);
  for (let i = 0; i < n; i++) {
    const at = 2 * (i * stride + column);
    const high = words[at + 1];
    // Negative floats grow downwards: all of their bits flip, those of the others only in the sign.
    lows[i] = high >> 31 === 0 ? words[at] : ~words[at];
    highs[i] = ascending(high);
  }
  return [lows, highs];
}

function ascending(word: number): number {
  return word ^ ((word >> 31) | 0x80000000);
}
