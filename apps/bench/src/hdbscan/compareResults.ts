import {FailureError} from '@epsball/cli/command';
import type {HdbscanResult} from '@epsball/hdbscan';
import type {RRun} from './besideR.ts';

const COMPARED = ['labels', 'probabilities', 'outlierScores', 'coreSquared', 'treeSquared'] as const;

/** @throws FailureError  if two results differ */
export function compareResults(expected: HdbscanResult, actual: HdbscanResult, what: string): void {
  for (const name of COMPARED) {
    const equal = countEqual(actual[name], expected[name]);
    if (equal !== expected[name].length) throw new FailureError(`${what}: ${name} differ from another backend`);
  }
}

/** Numbers of R that equal ours, to the bit. */
export function equalToR(theirs: RRun, ours: HdbscanResult): {edges: number; cores: number} {
  return {
    edges: countEqual(theirs.heights, ours.treeSquared.map(Math.sqrt)),
    cores: countEqual(theirs.cores, ours.coreSquared.map(Math.sqrt).sort()),
  };
}

/** @throws FailureError  if core distances or tree weights differ */
export function compareWithR(theirs: RRun, ours: HdbscanResult): void {
  const {edges, cores} = equalToR(theirs, ours);
  if (edges === theirs.heights.length && cores === theirs.cores.length) return;
  throw new FailureError(
    `R: ${edges} tree weights and ${cores} core distances of ${theirs.cores.length} points equal ours`,
  );
}

function countEqual(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let equal = 0;
  for (let k = 0; k < a.length; k++) if (a[k] === b[k]) equal++;
  return equal;
}
