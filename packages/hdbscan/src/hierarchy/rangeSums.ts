/** Sums of weights over ranges of a list: the exact sum, rounded once. */
export class RangeSums {
  /** By kind of parts: the sum of the parts before each entry, and of all parts behind the last. */
  readonly #before: readonly Float64Array[];
  readonly #first: Float64Array;
  readonly #terms: Float64Array;

  /**
   * @param kinds  of `weightParts`, by what `order` holds
   * @param order  what stands at each place of the list
   */
  constructor(kinds: readonly Float64Array[], order: Int32Array) {
    this.#before = kinds.map((parts) => sumsBefore(parts, order));
    [this.#first] = this.#before;
    this.#terms = new Float64Array(kinds.length);
  }

  /** The weight of the entries from `from` to before `to`. */
  between(from: number, to: number): number {
    if (this.#terms.length === 1) return this.#first[to] - this.#first[from];
    return this.around(from, to, to, to);
  }

  /** The weight of a range without that of a range inside it. */
  around(from: number, to: number, innerFrom: number, innerTo: number): number {
    const terms = this.#terms;
    for (const [kind, before] of this.#before.entries()) {
      terms[kind] = before[to] - before[from] - (before[innerTo] - before[innerFrom]);
    }
    return terms.length === 1 ? terms[0] : roundedSum(terms);
  }
}

function sumsBefore(parts: Float64Array, order: Int32Array): Float64Array {
  const before = new Float64Array(order.length + 1);
  for (let k = 0; k < order.length; k++) before[k + 1] = before[k] + parts[order[k]];
  return before;
}

/**
 * The exact sum, rounded once to float64, ties to even.
 *
 * @param terms  finite, of a finite sum of magnitudes
 * @source       Shewchuk 1997, Adaptive precision floating-point arithmetic; the last rounding after CPython's fsum
 */
export function roundedSum(terms: Float64Array): number {
  // Ascending numbers without common bits, which have the sum of the terms so far.
  const apart: number[] = [];
  for (const term of terms) {
    let high = term;
    let kept = 0;
    for (const other of apart.slice()) {
      const sum = high + other;
      const back = sum - high;
      const error = high - (sum - back) + (other - back);
      if (error !== 0) apart[kept++] = error;
      high = sum;
    }
    apart.length = kept;
    apart.push(high);
  }
  let sum = apart.pop() ?? 0;
  let low = 0;
  while (low === 0 && apart.length > 0) {
    const next = apart.pop() ?? 0;
    const before = sum;
    sum = before + next;
    low = next - (sum - before);
  }
  // Half a unit, rounded to even, and a rest beyond it.
  const rest = apart.at(-1) ?? 0;
  const whole = sum + 2 * low;
  return low * Math.sign(rest) > 0 && whole - sum === 2 * low ? whole : sum;
}
