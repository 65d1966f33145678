import type {PointSet, RunOptions, RunStats} from '@epsball/clustering';

/** The phases that runs report, in the order of a run. A backend may lack some of them. */
export const HDBSCAN_PHASES = ['upload', 'index', 'core', 'tree', 'readBack', 'hierarchy'] as const;
export type HdbscanPhase = (typeof HDBSCAN_PHASES)[number];

/** What a hierarchy depends on. */
export interface HdbscanTreeParams {
  /**
   * The core distance of a point is the distance to its `minSamples`-th nearest point, the point itself counted, as in
   * scikit-learn and R, and as `minPts` of DBSCAN; integer ≥ 1.
   */
  readonly minSamples: number;
  /** Whether `minSamples` counts the point itself. `false` counts as McInnes's hdbscan does. Default: true. */
  readonly countSelf?: boolean | undefined;
  /**
   * `count`: points at one place are points like any other, so a place with `minSamples` copies has the core distance 0
   * and is a cluster of infinite stability. `once`: core distances and tree are over the distinct places, each counted
   * once, and `minClusterSize` counts points; copies share label, probability and score. −0 equals 0. Default: `count`.
   */
  readonly duplicates?: 'count' | 'once' | undefined;
  /**
   * n weights: finite, ≥ 0, of a sum below 2^1023. They count in sizes and stabilities in the place of points: sums are
   * exact, rounded once. Core distances and cuts ignore them. Default: 1 for each point.
   */
  readonly sampleWeight?: ArrayLike<number> | undefined;
}

/** What is selected from a tree. */
export interface HdbscanSelectionParams {
  /** Fewest points of a cluster, or the least sum of their weights; integer ≥ 2. Default: 5. */
  readonly minClusterSize?: number | undefined;
  /**
   * Which clusters of the condensed tree are returned: those of the largest excess of mass, or the leaves. Default:
   * `eom`.
   */
  readonly selection?: 'eom' | 'leaf' | undefined;
  /**
   * A selected cluster that separates from its parent below this distance is replaced by its first ancestor that does
   * not, also by one of more than `maxClusterSize` points; finite, ≥ 0. Default: 0.
   */
  readonly clusterSelectionEpsilon?: number | undefined;
  /**
   * The bound of squared distances in the place of `clusterSelectionEpsilon`, from ε · ε · (1 − 2^-49) to ε · ε.
   * Default: ε · ε. A front door sets it for the metric cosine, whose bound is no square.
   */
  readonly clusterSelectionEpsilon2?: number | undefined;
  /**
   * `eom` selects no cluster of more points, or of a larger sum of weights; integer ≥ 1, or Infinity. `leaf` ignores
   * it. Default: Infinity.
   */
  readonly maxClusterSize?: number | undefined;
  /**
   * Whether the root, all points, may be selected. `clusterSelectionEpsilon` then bounds its members: those that leave
   * their last cluster at this distance or below. Without it all points are members, and a warning says so. Default:
   * false.
   */
  readonly allowSingleCluster?: boolean | undefined;
}

/** `minSamples` defaults to `minClusterSize`. */
export type HdbscanParams = HdbscanSelectionParams &
  Omit<HdbscanTreeParams, 'minSamples'> & {readonly minSamples?: number | undefined};

/** Counters: `rounds` of Borůvka's algorithm, and `clusters` of the condensed tree, the root included. */
export type HdbscanStats = RunStats<HdbscanPhase>;

/**
 * The condensed tree. Cluster 0 is the root, all points. Clusters are numbered in preorder, children by their smallest
 * member. Distances are squared; λ = 1/√squared.
 */
export interface CondensedTree {
  /** The parent of each cluster; −1 for the root. */
  readonly parent: Int32Array;
  /** The squared distance at which each cluster separates from its parent; infinite for the root. */
  readonly birthSquared: Float64Array;
  /** The squared distance at which each cluster splits or loses its last points. */
  readonly deathSquared: Float64Array;
  /** The points of each cluster at its birth, copies included; with weights their sum. */
  readonly size: Float64Array;
  readonly stability: Float64Array;
  /** 1 = selected. */
  readonly isSelected: Uint8Array;
  /** The cluster that each point leaves last. */
  readonly clusterOf: Int32Array;
  /** The squared distance at which each point leaves that cluster. */
  readonly leavesSquared: Float64Array;
}

/** Clusters of a hierarchy, by one setting. */
export interface HdbscanSelection {
  /** n labels; −1 is noise. Clusters 0…k−1 are numbered by their smallest member. */
  readonly labels: Int32Array;
  /** λ of each point / largest λ of its cluster, from 0 to 1; 0 for noise. */
  readonly probabilities: Float64Array;
  /** GLOSH outlier scores, from 0 (inlier) to 1. */
  readonly outlierScores: Float64Array;
  /** k. */
  readonly clusterCount: number;
  readonly condensedTree: CondensedTree;
  /**
   * Sentences about what the caller may not expect, each with the option that changes it: over 5 % of the points lie on
   * places with `minSamples` copies or more, or the root is selected without a bound. Empty if there is nothing to say.
   */
  readonly warnings: readonly string[];
}

/** The clusters of DBSCAN at all radii: core distances and a minimum spanning tree of mutual reachability. */
export interface HdbscanHierarchy {
  /**
   * The squared core distance of each point; infinite if there are fewer than `minSamples` points. With `duplicates:
   * 'once'` this and `treeSquared` are those of the places.
   */
  readonly coreSquared: Float64Array;
  /**
   * The n − 1 squared weights of a minimum spanning tree of mutual reachability, ascending; none if there are fewer
   * than `minSamples` points.
   */
  readonly treeSquared: Float64Array;
  /**
   * Clusters by one setting: to the byte those of a run with these parameters and those of the tree.
   *
   * @returns     arrays owned by the caller. Probabilities, scores and where points leave are computed when one of them
   *              is first read
   * @throws InvalidParameterError  if a parameter is unknown or out of range
   * @complexity  O(n), without distances; 60 bytes a point beyond the result
   */
  readonly select: (params?: HdbscanSelectionParams) => HdbscanSelection;
  /**
   * The core partition of DBSCAN at a radius, from the tree: the labels of `dbscan(points, {eps, minPts: minSamples})`
   * where its `coreMask` is 1, and −1 elsewhere, to the byte. With `duplicates: 'once'`, of `dbscan` of the places.
   *
   * @param eps   finite, > 0
   * @param eps2  the bound of squared distances. Default: eps · eps
   * @returns     n labels, owned by the caller
   * @throws InvalidParameterError  if `eps` is out of range
   * @complexity  O(n)
   */
  readonly cut: (eps: number, eps2?: number) => Int32Array;
  /**
   * The one tree that takes the edges in the order of (squared weight, smaller index, larger index). Runs take any
   * minimum spanning tree; this one needs a search of its own, on the calling thread. It reads the points of the run,
   * so they must still be as they were.
   *
   * @throws RunAbortedError  if the signal fires
   * @complexity  O(n · log² n) for few dimensions and clustered points
   */
  readonly edges: (options?: HdbscanRunOptions) => Promise<SpanningEdges>;
  /**
   * The reachability plot: an order of the points in which each cluster, at every radius, is a run of neighbours.
   *
   * @complexity  O(n · log n)
   */
  readonly reachability: () => Reachability;
}

/**
 * Edges of a spanning tree, ascending by squared weight, then by the smaller and the larger index. With `duplicates:
 * 'once'` a place is named by its smallest point.
 */
export interface SpanningEdges {
  /** The smaller index of each edge. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly squared: Float64Array;
}

/** Points in an order in which clusters are side by side: parts of a component by their smallest member. */
export interface Reachability {
  /** Indices of points; with `duplicates: 'once'` the smallest of each place. */
  readonly order: Int32Array;
  /**
   * The squared distance at which each point joins the one before it; infinite for the first. The ranges between
   * heights > eps² are the components at eps.
   */
  readonly heights: Float64Array;
}

export interface HdbscanResult extends HdbscanSelection {
  /** What the clusters were selected from, for other settings. */
  readonly hierarchy: HdbscanHierarchy;
  readonly stats: HdbscanStats;
}

/** A hierarchy, and the run that found it. */
export interface HdbscanHierarchyResult extends HdbscanHierarchy {
  readonly stats: HdbscanStats;
}

/** HDBSCAN* on one backend, ready to run many times, one run after another. Owns what it allocates. */
export interface HdbscanAlgorithm extends Disposable {
  /**
   * Clusters a point set. The result is the same on every backend and with any number of threads, to the byte, and does
   * not depend on the order of the points.
   *
   * @param points  not modified
   * @returns       arrays owned by the caller
   * @throws        InvalidParameterError, InvalidPointsError, UnsupportedDimensionError, GpuLimitError,
   *                GpuDeviceLostError, WorkerFailedError, RunAbortedError; after any of them the next run works (after
   *                a lost device: on a new one). DestroyedError after `destroy()`
   */
  run(points: PointSet, params?: HdbscanParams, options?: HdbscanRunOptions): Promise<HdbscanResult>;
  /** Core distances and tree of a point set, for any number of settings. As `run` otherwise. */
  hierarchy(points: PointSet, params: HdbscanTreeParams, options?: HdbscanRunOptions): Promise<HdbscanHierarchyResult>;
  /** Frees what the algorithm owns; safe to call twice. */
  destroy(): void;
}

export type HdbscanRunOptions = RunOptions<HdbscanPhase>;
