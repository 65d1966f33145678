import type {CandidateSearch} from './candidateSearch.ts';
import {weightedSum, type WeightedSum} from '../weightedSum.ts';
import {gaussianFalloff} from '../shift/shiftState.ts';

/** The kernel, and when a trajectory ends. */
export interface ClimbRules {
  readonly kernel: 'gaussian' | 'flat';
  readonly bandwidth: number;
  /** Points farther away have weight 0. Infinity: no limit. */
  readonly radius: number;
  /** Most steps, ≥ 1. */
  readonly maxSteps: number;
  /** A trajectory ends with a step shorter than this. 0: never before `maxSteps`. */
  readonly minStep: number;
}

/**
 * Moves positions to modes of the density, one trajectory at a time: each step goes to the weighted mean of the points
 * around the position.
 *
 * @source  Agnolucci 2020, Algorithm 2; Comaniciu and Meer 2002, §2
 */
export class Climber {
  /** Steps of the last trajectory. */
  steps = 0;
  /** Sum of weights of its last step; with the flat kernel the number of points. 0: no point is near. */
  weight = 0;
  /** Candidates of the last trajectory, summed over its steps. */
  work = 0;
  readonly #search: CandidateSearch;
  readonly #rules: ClimbRules;
  readonly #sumRange: WeightedSum;
  readonly #sums: Float64Array;
  /** Coordinates are summed as they are, so the mean of points of a lattice is exact. */
  readonly #origin: Float64Array;

  constructor(search: CandidateSearch, rules: ClimbRules) {
    const {dim} = search.index;
    this.#search = search;
    this.#rules = rules;
    this.#sumRange = weightedSum(dim);
    this.#sums = new Float64Array(dim + 1);
    this.#origin = new Float64Array(dim);
  }

  /**
   * Moves one position to the end of its trajectory.
   *
   * @param at  `dim` coordinates, modified
   */
  climb(at: Float64Array): void {
    const {maxSteps, minStep} = this.#rules;
    this.steps = 0;
    this.work = 0;
    do {
      const length = this.#step(at);
      if (this.weight === 0) return;
      this.steps++;
      if (length < minStep) return;
    } while (this.steps < maxSteps);
  }

  /** Makes one step. Returns its length. Without a point around it, the position stays, and its weight is 0. */
  #step(at: Float64Array): number {
    const {kernel, bandwidth, radius} = this.#rules;
    const {index, ranges} = this.#search;
    const sums = this.#sums.fill(0);
    const count = this.#search.find(at);
    const falloff = kernel === 'flat' ? 0 : gaussianFalloff(bandwidth);
    const radius2 = radius * radius;
    for (let r = 0; r < 2 * count; r += 2) {
      this.work += ranges[r + 1] - ranges[r];
      this.#sumRange(index.sortedCoords, at, this.#origin, ranges[r], ranges[r + 1], radius2, falloff, sums);
    }
    const weight = sums[at.length];
    this.weight = weight;
    if (weight === 0) return 0;
    let moved2 = 0;
    for (let d = 0; d < at.length; d++) {
      const to = sums[d] / weight;
      moved2 += (to - at[d]) * (to - at[d]);
      at[d] = to;
    }
    return Math.sqrt(moved2);
  }
}
