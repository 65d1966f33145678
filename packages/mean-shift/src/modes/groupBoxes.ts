import type {ModeGroups} from './modeGroups.ts';

/** How modes are joined. */
export interface JoinRule {
  readonly bandwidth: number;
  /** Numbers of axes, in order: modes are near if they are within a bandwidth in each of these domains. */
  readonly domains: readonly number[];
}

/** The boxes around groups of modes, and the modes of each group. */
export class GroupBoxes {
  /** g · dim middles of the boxes. */
  readonly middles: Float64Array;
  /** Largest distance of a mode from the middle of its box. */
  readonly halfDiagonal: number;
  readonly #modes: Float64Array;
  readonly #dim: number;
  readonly #radius2: number;
  /** Axes before the end of each domain. */
  readonly #ends: readonly number[];
  readonly #low: Float64Array;
  readonly #high: Float64Array;
  /** Modes by group, and where each group begins. */
  readonly #members: Int32Array;
  readonly #starts: Int32Array;

  constructor(modes: Float64Array, {dim, groupOf, sizes}: ModeGroups, {bandwidth, domains}: JoinRule) {
    const words = sizes.length * dim;
    this.#modes = modes;
    this.#dim = dim;
    this.#radius2 = bandwidth * bandwidth;
    this.#ends = domains.map((_, k) => domains.slice(0, k + 1).reduce((sum, axes) => sum + axes));
    this.#low = new Float64Array(words).fill(Infinity);
    this.#high = new Float64Array(words).fill(-Infinity);
    this.#starts = new Int32Array(sizes.length + 1);
    for (let g = 0; g < sizes.length; g++) this.#starts[g + 1] = this.#starts[g] + sizes[g];
    const next = this.#starts.slice(0, -1);
    this.#members = new Int32Array(groupOf.length);
    for (let i = 0; i < groupOf.length; i++) {
      const g = groupOf[i];
      this.#members[next[g]++] = i;
      for (let d = 0; d < dim; d++) {
        const x = modes[i * dim + d];
        if (x < this.#low[g * dim + d]) this.#low[g * dim + d] = x;
        if (x > this.#high[g * dim + d]) this.#high[g * dim + d] = x;
      }
    }
    this.middles = this.#low.map((low, k) => low + (this.#high[k] - low) / 2);
    let most = 0;
    for (let g = 0; g < sizes.length; g++) most = Math.max(most, this.#halfDiagonalOf(g));
    this.halfDiagonal = most;
  }

  /** Whether a mode of group a is near a mode of group b. */
  areNear(a: number, b: number): boolean {
    if (this.#isGapBeyond(this.#low, this.#high, a, b)) return false;
    if (this.#areAllNear(a, b)) return true;
    for (let k = this.#starts[a]; k < this.#starts[a + 1]; k++) {
      const i = this.#members[k];
      if (this.#isGapBeyond(this.#modes, this.#modes, i, b)) continue;
      for (let l = this.#starts[b]; l < this.#starts[b + 1]; l++)
        if (this.#areModesNear(i, this.#members[l])) return true;
    }
    return false;
  }

  /**
   * Whether the gap between a box, row `a` of `low` and `high`, and the box of group b is beyond a bandwidth in some
   * domain. Rounding is monotonic: no pair in the boxes is computed to be nearer.
   */
  #isGapBeyond(low: Float64Array, high: Float64Array, a: number, b: number): boolean {
    const dim = this.#dim;
    let d = 0;
    for (const end of this.#ends) {
      let gap2 = 0;
      for (; d < end; d++) {
        const gap = Math.max(0, low[a * dim + d] - this.#high[b * dim + d], this.#low[b * dim + d] - high[a * dim + d]);
        gap2 += gap * gap;
      }
      if (gap2 > this.#radius2) return true;
    }
    return false;
  }

  /** Whether even opposite corners of the boxes are near. */
  #areAllNear(a: number, b: number): boolean {
    const dim = this.#dim;
    let d = 0;
    for (const end of this.#ends) {
      let far2 = 0;
      for (; d < end; d++) {
        const [k, l] = [a * dim + d, b * dim + d];
        const far = Math.max(this.#high[k] - this.#low[l], this.#high[l] - this.#low[k]);
        far2 += far * far;
      }
      if (far2 > this.#radius2) return false;
    }
    return true;
  }

  #areModesNear(i: number, j: number): boolean {
    const dim = this.#dim;
    let d = 0;
    for (const end of this.#ends) {
      let d2 = 0;
      for (; d < end; d++) {
        const delta = this.#modes[i * dim + d] - this.#modes[j * dim + d];
        d2 += delta * delta;
      }
      if (d2 > this.#radius2) return false;
    }
    return true;
  }

  #halfDiagonalOf(g: number): number {
    let sum = 0;
    for (let k = g * this.#dim; k < (g + 1) * this.#dim; k++) sum = Math.hypot(sum, (this.#high[k] - this.#low[k]) / 2);
    return sum;
  }
}
