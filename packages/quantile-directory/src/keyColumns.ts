/**
 * The keys that order a directory: `levels` numbers a point, its first coordinates or its projections on principal
 * axes.
 */
export interface KeyColumns {
  readonly values: Float32Array | Float64Array;
  /** Distance between the first keys of consecutive points, in numbers. */
  readonly stride: number;
}

/**
 * The 32-bit words by which a column of keys is ordered, least significant first, as unsigned integers.
 *
 * The order is IEEE 754 totalOrder: −0 before +0, and subnormals by value. The words are integers because a GPU sorts
 * the same keys and may flush subnormals in comparisons of floats.
 *
 * @returns  by point: one array for float32, two for float64
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
    // Flips all bits of negative floats, whose words descend, and only the sign of the others.
    lows[i] = high >> 31 === 0 ? words[at] : ~words[at];
    highs[i] = ascending(high);
  }
  return [lows, highs];
}

function ascending(word: number): number {
  return word ^ ((word >> 31) | 0x80000000);
}
