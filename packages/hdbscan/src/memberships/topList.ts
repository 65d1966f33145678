/** The largest values of a list, largest first, at equal values the lower index. */
export class TopList {
  readonly #indices: Int32Array;
  readonly #values: Float64Array;

  constructor(count: number) {
    this.#indices = new Int32Array(count);
    this.#values = new Float64Array(count);
  }

  /** Writes the largest of at least as many values, and their indices, at an offset. */
  fill(from: Float64Array, indices: Int32Array, values: Float64Array, offset: number): void {
    const count = this.#indices.length;
    let held = 0;
    for (let index = 0; index < from.length; index++) {
      const value = from[index];
      if (held === count && value <= this.#values[count - 1]) continue;
      let at = held < count ? held++ : count - 1;
      for (; at > 0 && this.#values[at - 1] < value; at--) {
        this.#values[at] = this.#values[at - 1];
        this.#indices[at] = this.#indices[at - 1];
      }
      this.#values[at] = value;
      this.#indices[at] = index;
    }
    indices.set(this.#indices, offset);
    values.set(this.#values, offset);
  }
}
