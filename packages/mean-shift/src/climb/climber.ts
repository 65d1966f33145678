import type {PointSet} from '@epsball/clustering';
import {weightedSum, type WeightedSum} from '../weightedSum.ts';
import type {CandidateSearch} from './candidateSearch.ts';

export interface ClimbRules {
  readonly kernel: 'gaussian' | 'flat';
  readonly bandwidth: number;
  /** Points farther away have weight 0. Infinity: no limit. */
  readonly radius: number;
  readonly maxSteps: number;
  /** A trajectory ends with a step shorter than this. 0: never before `maxSteps`. */
  readonly minStep: number;
  /** Whether sums are of offsets from the position: see `weightedSum`. Else means of lattice points are exact. */
  readonly sumsOffsets: boolean;
}

/** The ends of trajectories, in the order of the points or seeds. */
export interface Trajectories {
  readonly ends: Float64Array;
  /** m sums of weights of the last step; 0: no point was near. */
  readonly weights: Float64Array | Float32Array;
  readonly steps: Uint32Array | Int32Array;
}

/** Moves positions to modes, one trajectory at a time (Agnolucci 2020, Algorithm 2; Comaniciu and Meer 2002, §2). */
export class Climber {
  readonly #search: CandidateSearch;
  readonly #rules: ClimbRules;
  readonly #trajectories: Trajectories;
  readonly #sumRange: WeightedSum;
  readonly #sums: Float64Array;
  readonly #at: Float64Array;
  readonly #origin: Float64Array;
  /** Candidates of the last trajectory, summed over its steps. */
  #work = 0;

  constructor(search: CandidateSearch, rules: ClimbRules, trajectories: Trajectories) {
    const {dim} = search.index;
    this.#search = search;
    this.#rules = rules;
    this.#trajectories = trajectories;
    this.#sumRange = weightedSum(dim);
    this.#sums = new Float64Array(dim + 1);
    this.#at = new Float64Array(dim);
    this.#origin = rules.sumsOffsets ? this.#at : new Float64Array(dim);
  }

  /** Runs trajectory i, from point i of `starts` to its end. Returns its candidates, summed over its steps. */
  climb({coords, dim}: PointSet, i: number): number {
    const {maxSteps, minStep} = this.#rules;
    const {ends, weights, steps} = this.#trajectories;
    for (let d = 0; d < dim; d++) this.#at[d] = coords[i * dim + d];
    this.#work = 0;
    let made = 0;
    let weight = 0;
    let length = Infinity;
    while (made < maxSteps && !(length < minStep)) {
      length = this.#step();
      weight = this.#sums[dim];
      // Without a point around it the position stays. Only a seed can be there: a point has weight 1 on itself, and the
      // density never falls along a trajectory (Comaniciu and Meer 2002, Theorem 1).
      if (weight === 0) break;
      made++;
    }
    ends.set(this.#at, i * dim);
    weights[i] = weight;
    steps[i] = made;
    return this.#work;
  }

  /** Makes one step. Returns its length. */
  #step(): number {
    const {kernel, bandwidth, radius} = this.#rules;
    const {index, ranges} = this.#search;
    const at = this.#at;
    const sums = this.#sums.fill(0);
    const count = this.#search.find(at);
    // Finite for the smallest bandwidth, too, so that a point always has weight 1 on itself.
    const falloff = kernel === 'flat' ? 0 : Math.max(-0.5 / (bandwidth * bandwidth), -Number.MAX_VALUE);
    // An offset whose square overflows may be infinite, and has no weight; without offsets it adds 0.
    const radius2 = this.#rules.sumsOffsets ? Math.min(radius * radius, Number.MAX_VALUE) : radius * radius;
    for (let r = 0; r < 2 * count; r += 2) {
      this.#work += ranges[r + 1] - ranges[r];
      this.#sumRange(index.sortedCoords, at, this.#origin, ranges[r], ranges[r + 1], radius2, falloff, sums);
    }
    const weight = sums[at.length];
    if (weight === 0) return 0;
    const isOffset = this.#rules.sumsOffsets;
    let moved2 = 0;
    for (let d = 0; d < at.length; d++) {
      const to = sums[d] / weight;
      const step = isOffset ? to : to - at[d];
      moved2 += step * step;
      at[d] = isOffset ? at[d] + to : to;
    }
    return Math.sqrt(moved2);
  }
}
