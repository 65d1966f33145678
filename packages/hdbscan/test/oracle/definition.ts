import type {PointSet} from '@epsball/clustering';

/** Parameters of HDBSCAN*, as the front door takes them. */
export interface HdbscanCaseParams {
  readonly minClusterSize: number;
  readonly minSamples?: number;
  readonly countSelf?: boolean;
  readonly selection?: 'eom' | 'leaf';
  readonly clusterSelectionEpsilon?: number;
  readonly maxClusterSize?: number;
  readonly allowSingleCluster?: boolean;
  readonly duplicates?: 'count' | 'once';
  /** By point. */
  readonly sampleWeight?: readonly number[];
}

/** One input of HDBSCAN*. */
export interface HdbscanCase {
  readonly name: string;
  readonly params: HdbscanCaseParams;
  /** Radii of cuts. */
  readonly cuts: readonly number[];
  /** Builds new points on every call, always the same. */
  readonly points: () => PointSet;
  /** Labels derived by hand. The oracle must agree. */
  readonly labels?: readonly number[];
}

/** The part of a result that every backend must return byte for byte. */
export interface HdbscanAnswer {
  readonly labels: Int32Array;
  readonly probabilities: Float64Array;
  readonly outlierScores: Float64Array;
  readonly clusterCount: number;
  /** Labels of the cut at a radius. */
  readonly hierarchy: {readonly cut: (eps: number) => Int32Array};
  /** In any order of the clusters. */
  readonly condensedTree: {readonly size: Float64Array; readonly stability: Float64Array};
}

/** One edge of a spanning tree. */
export interface OracleEdge {
  readonly a: number;
  readonly b: number;
  readonly squared: number;
}

/** A departure from the definition, for mutants. Absent parts are correct. */
export interface HdbscanFlaw {
  /** Added to the rank of the core distance. */
  readonly coreRank?: number;
  /** Whether the tree joins each point to any earlier point, instead of the nearest one. */
  readonly takesAnyTree?: boolean;
  /** Whether equal edges are taken one after another. */
  readonly splitsInTwo?: boolean;
  /** Whether parts below the minimum size stay in their cluster until they are single points. */
  readonly keepsSmallParts?: boolean;
  /** Whether stabilities are sums of λ instead of λ − λbirth. */
  readonly forgetsBirth?: boolean;
  /** The squared distance as a computed root sees it. */
  readonly rounds?: (squared: number) => number;
  /** The rounding of the sum over children. */
  readonly roundsSum?: (sum: number) => number;
  /** The test of a cut. */
  readonly isCut?: (squared: number, eps: number) => boolean;
  /** Whether the size of a root is that of its children. */
  readonly rootOfChildren?: boolean;
  /** Whether the children win at equal stability. */
  readonly childrenWinTies?: boolean;
  /** Whether the selected root holds all points, whatever the selection epsilon. */
  readonly rootIsUnbounded?: boolean;
  /** The test of the members of a selected root. */
  readonly isWithin?: (squared: number, eps2: number) => boolean;
  /** Whether the copies of a place count as points of their own although each place counts once. */
  readonly ignoresOnce?: boolean;
  /** Whether sizes count places instead of points. */
  readonly countsPlaces?: boolean;
  /** Whether a place that weighs enough is a cluster. */
  readonly singlesAreClusters?: boolean;
  /** Whether weights count nowhere. */
  readonly ignoresWeights?: boolean;
  /** Whether weights are left out of stabilities. */
  readonly countsLeavingPoints?: boolean;
  /** The sum of weights. */
  readonly sum?: (weights: readonly number[]) => number;
  /** Whether points of weight 0 are left out, as neighbours too. */
  readonly dropsWeightless?: boolean;
  /** Whether a level that only points of weight 0 leave counts: 0 · ∞. */
  readonly keepsEmptyLevels?: boolean;
  /** Whether core distances reach as far as weights of `minSamples`. */
  readonly weighsCores?: boolean;
  /** Whether a place weighs the largest of its copies. */
  readonly weighsLargestCopy?: boolean;
  /** Whether clusters are numbered in the order of the tree. */
  readonly numbersByTree?: boolean;
}
