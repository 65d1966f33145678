// The task of threads. Trajectories are independent: each writes words of its own.
import type {PointSet} from '@epsball/clustering';
import type {CandidateIndex} from '../climb/candidates.ts';
import {CandidateSearch} from '../climb/candidateSearch.ts';
import {Climber, type ClimbRules, type Trajectories} from '../climb/climber.ts';

export interface ClimbInput {
  readonly index: CandidateIndex;
  readonly rules: ClimbRules;
  /** The first positions: seeds in their order, or points in the order of their cells. */
  readonly starts: PointSet;
  readonly hasSeeds: boolean;
  readonly trajectories: Trajectories;
}

export function climbChunk(
  {index, rules, starts, hasSeeds, trajectories}: ClimbInput,
  start: number,
  end: number,
): void {
  const climber = new Climber(new CandidateSearch(index), rules, trajectories);
  for (let k = start; k < end; k++) climber.climb(starts, hasSeeds ? k : (index.pointOrder?.[k] ?? k));
}
