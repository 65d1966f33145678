import type {HdbscanFlaw} from './definition.ts';
import {exactSum} from './exactSum.ts';
import type {HdbscanRun} from './judge.ts';
import {hdbscanOracle} from './oracle.ts';

/** An HDBSCAN* with one plausible error. The cases must reject it. */
export interface HdbscanMutant {
  readonly name: string;
  readonly run: HdbscanRun;
}

const flaws: Readonly<Record<string, HdbscanFlaw>> = {
  'a tree that is not minimal': {takesAnyTree: true},
  'core distances of one rank less': {coreRank: -1},
  'core distances of one rank more': {coreRank: 1},
  'equal edges are taken one after another': {splitsInTwo: true},
  'parts below the minimum size stay': {keepsSmallParts: true},
  'stability without the λ of the birth': {forgetsBirth: true},
  'float32 sums of stabilities': {roundsSum: Math.fround},
  'a root before the cut': {isCut: (squared, eps) => Math.sqrt(squared) <= eps},
  'a root squared again before the cut': {isCut: (squared, eps) => Math.sqrt(squared) ** 2 <= eps * eps},
  'a cut that excludes eps': {isCut: (squared, eps) => squared < eps * eps},
  'weights in float32': {rounds: Math.fround},
  'the root has the size of its children': {rootOfChildren: true},
  'children win at equal stability': {childrenWinTies: true},
  'clusters in the order of the tree': {numbersByTree: true},
  'a root without a bound': {rootIsUnbounded: true},
  'a root whose bound excludes eps': {isWithin: (squared, eps2) => squared < eps2},
  'copies of a place count each': {ignoresOnce: true},
  'sizes in places': {countsPlaces: true},
  'a heavy place is a cluster': {singlesAreClusters: true},
  'weights count nowhere': {ignoresWeights: true},
  'weights count in sizes only': {countsLeavingPoints: true},
  'sums of weights are rounded at each term': {sum: (weights) => weights.reduce((sum, weight) => sum + weight, 0)},
  'sums of weights in float32': {sum: (weights) => Math.fround(exactSum(weights))},
  'points of weight 0 are left out': {dropsWeightless: true},
  'points of weight 0 count at λ = ∞': {keepsEmptyLevels: true},
  'weights count in core distances': {weighsCores: true},
  'a place weighs its heaviest copy': {weighsLargestCopy: true},
};

export const hdbscanMutants: readonly HdbscanMutant[] = Object.entries(flaws).map(([name, flaw]) => ({
  name,
  run: async (points, params) => hdbscanOracle(points, params, flaw),
}));
