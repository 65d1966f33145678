// What threads do in a run of mean shift over a grid. Climbs do not meet: each writes words of its own.
import type {PointSet} from '@epsball/clustering';
import type {CandidateIndex} from '../candidates.ts';
import {CandidateSearch} from '../candidateSearch.ts';
import {Climber, type ClimbRules} from '../climb.ts';
import type {Climbs} from '../labelClimbs.ts';

/** All that climbs share, in shared memory. */
export interface ClimbSpace {
  readonly index: CandidateIndex;
  readonly rules: ClimbRules;
  /** What climbs: seeds in their order, or points in the order of their cells. */
  readonly starts: PointSet;
  readonly hasSeeds: boolean;
  readonly climbs: Climbs;
}

/** Climbs from a range of starts. */
export function climbChunk({index, rules, starts, hasSeeds, climbs}: ClimbSpace, start: number, end: number): void {
  const climber = new Climber(new CandidateSearch(index), rules);
  const {coords, dim} = starts;
  const at = new Float64Array(dim);
  for (let k = start; k < end; k++) {
    const i = hasSeeds ? k : index.pointOrder[k];
    for (let d = 0; d < dim; d++) at[d] = coords[i * dim + d];
    climber.climb(at);
    climbs.ends.set(at, i * dim);
    climbs.weights[i] = climber.weight;
    climbs.steps[i] = climber.steps;
  }
}
