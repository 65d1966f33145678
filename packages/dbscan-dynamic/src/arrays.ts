type NumberArray = Int32Array | Uint8Array | Float64Array;

/**
 * An array of at least `length` values that begins with those of another; the array itself if it is long enough.
 *
 * Grows by an eighth: slack costs memory for every point.
 */
export function withRoom<Values extends NumberArray>(values: Values, length: number, fill = 0): Values {
  if (values.length >= length) return values;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the constructor of the argument
  const construct = values.constructor as new (length: number) => Values;
  const larger = new construct(Math.ceil(Math.max(length, values.length * 1.125 + 16)));
  larger.set(values);
  if (fill !== 0) larger.fill(fill, values.length);
  return larger;
}

/** A list of integers that grows, and that is cleared without giving its memory back. */
export class IntList {
  values: Int32Array = new Int32Array(16);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) this.values = withRoom(this.values, this.length + 1);
    this.values[this.length++] = value;
  }

  clear(): void {
    this.length = 0;
    // After a large batch the list does not keep its memory.
    if (this.values.length > 2 ** 16) this.values = new Int32Array(16);
  }
}
