import type {ModeGroups} from './modeGroups.ts';

export interface JoinRule {
  readonly bandwidth: number;
  /** Numbers of axes, in order: modes are near if they are within a bandwidth in each of these domains. */
  readonly domains: readonly number[];
}

interface Boxes {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

export class GroupBoxes {
  /** g · dim middles of the boxes. */
  readonly middles: Float64Array;
  /** Largest distance of a mode from the middle of its box. */
  readonly halfDiagonal: number;
  /** A mode is a box of one position. */
  readonly #modes: Boxes;
  readonly #boxes: Boxes;
  readonly #dim: number;
  readonly #radius2: number;
  /** Axes before the end of each domain. */
  readonly #ends: readonly number[];
  /** Modes by group, and where each group begins. */
  readonly #members: Int32Array;
  readonly #starts: Int32Array;

  constructor(modes: Float64Array, {dim, groupOf, sizes}: ModeGroups, {bandwidth, domains}: JoinRule) {
    const words = sizes.length * dim;
    this.#modes = {low: modes, high: modes};
    this.#dim = dim;
    this.#radius2 = bandwidth * bandwidth;
    this.#ends = domains.map((_, k) => domains.slice(0, k + 1).reduce((sum, axes) => sum + axes));
    const [low, high] = [new Float64Array(words).fill(Infinity), new Float64Array(words).fill(-Infinity)];
    this.#boxes = {low, high};
    this.#starts = new Int32Array(sizes.length + 1);
    for (let g = 0; g < sizes.length; g++) this.#starts[g + 1] = this.#starts[g] + sizes[g];
    const next = this.#starts.slice(0, -1);
    this.#members = new Int32Array(groupOf.length);
    for (let i = 0; i < groupOf.length; i++) {
      const g = groupOf[i];
      this.#members[next[g]++] = i;
      for (let d = 0; d < dim; d++) {
        const x = modes[i * dim + d];
        if (x < low[g * dim + d]) low[g * dim + d] = x;
        if (x > high[g * dim + d]) high[g * dim + d] = x;
      }
    }
    this.middles = low.map((x, k) => x + (high[k] - x) / 2);
    let most = 0;
    for (let g = 0; g < sizes.length; g++) most = Math.max(most, this.#halfDiagonalOf(g));
    this.halfDiagonal = most;
  }

  /** Whether a mode of group a is near a mode of group b. */
  areNear(a: number, b: number): boolean {
    const [groups, modes] = [this.#boxes, this.#modes];
    if (this.#areApart(groups, a, groups, b)) return false;
    for (let k = this.#starts[a]; k < this.#starts[a + 1]; k++) {
      const i = this.#members[k];
      if (this.#areApart(modes, i, groups, b)) continue;
      for (let l = this.#starts[b]; l < this.#starts[b + 1]; l++) {
        if (!this.#areApart(modes, i, modes, this.#members[l])) return true;
      }
    }
    return false;
  }

  /** Whether the boxes are farther apart than a bandwidth in some domain. Rounding is monotonic. */
  #areApart(some: Boxes, a: number, others: Boxes, b: number): boolean {
    const dim = this.#dim;
    let d = 0;
    for (const end of this.#ends) {
      let gap2 = 0;
      for (; d < end; d++) {
        const [k, l] = [a * dim + d, b * dim + d];
        const gap = Math.max(0, some.low[k] - others.high[l], others.low[l] - some.high[k]);
        gap2 += gap * gap;
      }
      if (gap2 > this.#radius2) return true;
    }
    return false;
  }

  #halfDiagonalOf(g: number): number {
    const {low, high} = this.#boxes;
    let sum = 0;
    for (let k = g * this.#dim; k < (g + 1) * this.#dim; k++) sum = Math.hypot(sum, (high[k] - low[k]) / 2);
    return sum;
  }
}
