import type {CandidateSearch} from './candidateSearch.ts';
import {weightedSum, type WeightedSum} from '../weightedSum.ts';
import {gaussianFalloff} from '../shift/shiftState.ts';

/** How points weigh, and when a climb ends. */
export interface ClimbRules {
  readonly kernel: 'gaussian' | 'flat';
  readonly bandwidth: number;
  /** Points farther away weigh nothing; infinite where all weigh. */
  readonly radius: number;
  /** Steps at most, ≥ 1. */
  readonly maxSteps: number;
  /** A climb has ended once a step is shorter than this; 0: never before `maxSteps`. */
  readonly minStep: number;
}

/**
 * Trajectories from positions to modes of the density, one at a time: each step goes to the weighted mean of the points around.
 *
 * @source  Agnolucci 2020, Algorithm 2; Comaniciu and Meer 2002, §2
 */
export class Climber {
  /** Steps of the last climb. */
  steps = 0;
  /** Sum of the weights at its last step: the number of points, where the kernel is flat; 0 where none is near. */
  weight = 0;
  /** Candidates looked at in the last climb. */
  work = 0;
  readonly #search: CandidateSearch;
  readonly #rules: ClimbRules;
  readonly #sumRange: WeightedSum;
  readonly #sums: Float64Array;
  /** Coordinates are summed as they are: the mean of points of a lattice then lies on it. */
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
   * Trajectories from one position.
   *
   * @param at  `dim` coordinates; moved to where the climb ends
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

  /** One step; returns its length. Without a point around the position stays, and its weight is 0. */
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
