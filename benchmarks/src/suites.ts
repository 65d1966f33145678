import type {Suite} from './suite.ts';
import {dclust, dclustDim, dclustEps, dclustKernels, dclustMinPts, dclustNone} from './suites/dclust.ts';
import {milanesi} from './suites/milanesi.ts';
import {dynamic} from './suites/dynamic.ts';
import {hdbscan, meanShift, primitives} from './suites/others.ts';
import {largest, memory, real, stateOfTheArt, variants} from './suites/ours.ts';
import {
  gdbscanGraphs,
  gdbscanHybrid,
  gdbscanHybridPictures,
  hybridThreads,
  threads,
  tweetSizes,
} from './suites/tweets.ts';

/** Every suite, in the order in which they run and appear in reports. */
export const suites: readonly Suite[] = [
  real,
  milanesi,
  threads,
  tweetSizes,
  gdbscanHybrid,
  gdbscanHybridPictures,
  hybridThreads,
  gdbscanGraphs,
  dclustNone,
  dclust,
  dclustMinPts,
  dclustEps,
  dclustDim,
  dclustKernels,
  variants,
  stateOfTheArt,
  largest,
  memory,
  primitives,
  meanShift,
  hdbscan,
  dynamic,
];

/** The suite with this id, and those whose ids begin with the id and a dash; empty if there is none. */
export function suitesNamed(name: string): readonly Suite[] {
  return suites.filter(({id}) => id === name || id.startsWith(`${name}-`));
}
