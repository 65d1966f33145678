import type {Suite} from './suite.ts';
import {dclust, dclustDim, dclustEps, dclustKernels, dclustMinPts, dclustNone} from './suites/dclust.ts';
import {gdbscanGraphs, gdbscanHybrid, gdbscanHybridPictures, hybridThreads} from './suites/gdbscanHybrid.ts';
import {hdbscan} from './suites/hdbscan.ts';
import {meanShift} from './suites/meanShift.ts';
import {memory} from './suites/memory.ts';
import {milanesi} from './suites/milanesi.ts';
import {primitives} from './suites/primitives.ts';
import {real} from './suites/real.ts';
import {stateOfTheArt} from './suites/stateOfTheArt.ts';
import {threads, tweetSizes} from './suites/threads.ts';
import {variants} from './suites/variants.ts';

/** Every suite, in the order in which they run and appear in reports. */
export const suites: readonly Suite[] = [
  milanesi,
  real,
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
  memory,
  primitives,
  meanShift,
  hdbscan,
];
