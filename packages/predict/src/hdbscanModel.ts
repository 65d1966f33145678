import {
  checkInteger,
  checkKnownOptions,
  collapseDuplicates,
  filled,
  firstOfGroups,
  indicesBelow,
  InvalidParameterError,
  limitOf,
  METRIC_OPTIONS,
  metricRadius,
  NOISE,
  pointCount,
  pointsAt,
  reportParts,
  scatterRows,
  takeComplete,
  validatePoints,
  type MetricOptions,
  type MissingOptions,
  type MissingRows,
  type PointSet,
  type PointsInput,
  type ProgressListener,
} from '@epsball/clustering';
import {
  clusteredOf,
  clusteredPoints,
  inFloat64,
  isNoiseAllowed,
  namesOf,
  newPointsOf,
  type ModelPoints,
  type PredictOptions,
} from './modelPoints.ts';
import {NearestReachable} from './nearestReachable.ts';

/** What a clustering takes. The result says what was selected. */
const PARAMS = [
  'minClusterSize',
  'minSamples',
  'countSelf',
  'duplicates',
  'sampleWeight',
  'selection',
  'clusterSelectionEpsilon',
  'maxClusterSize',
  'allowSingleCluster',
  'missing',
  ...METRIC_OPTIONS,
];

/** As in `@epsball/hdbscan`. */
const MIN_CLUSTER_SIZE = 5;

/** The parameters of a clustering by HDBSCAN*, as its front door takes them. Others have no effect. */
export interface HdbscanModelParams extends MetricOptions, MissingOptions {
  readonly minClusterSize?: number | undefined;
  readonly minSamples?: number | undefined;
  readonly countSelf?: boolean | undefined;
  readonly duplicates?: 'count' | 'once' | undefined;
  readonly clusterSelectionEpsilon?: number | undefined;
}

/** What a model needs of the result of `hdbscan`. */
export interface HdbscanClustering {
  readonly labels: Int32Array;
  readonly condensedTree: {
    readonly parent: Int32Array;
    readonly birthSquared: Float64Array;
    readonly deathSquared: Float64Array;
    readonly isSelected: Uint8Array;
    readonly clusterOf: Int32Array;
    readonly leavesSquared: Float64Array;
  };
  readonly hierarchy: {readonly coreSquared: Float64Array};
}

/** What a model keeps, by training point; with `duplicates: 'once'` by place, in the order of their first points. */
export interface HdbscanModelState extends ModelPoints {
  readonly params: MetricOptions & {
    /** The rank of a core distance: the nearest training point is the first. */
    readonly rank: number;
    /** The squared distance that bounds the members of a selected root. Absent: no bound. */
    readonly rootSquared?: number | undefined;
  };
  /** In the space where the metric is computed: unit vectors for haversine and cosine. */
  readonly points: PointSet & {readonly coords: Float64Array};
  readonly clusters: Int32Array;
  readonly coreSquared: Float64Array;
  /** The squared distance at which each point leaves its last cluster of the condensed tree. */
  readonly leavesSquared: Float64Array;
  /** Of the cluster of each point: where it separates from its parent, and where it ends. 0 for noise. */
  readonly birthSquared: Float64Array;
  readonly deathSquared: Float64Array;
}

export interface HdbscanPrediction {
  /** n labels; −1 is noise. */
  readonly labels: Int32Array;
  /** From 0 to 1; 0 for noise. */
  readonly probabilities: Float64Array;
}

/** A clustering by HDBSCAN* that labels new points. */
export class HdbscanModel {
  readonly state: HdbscanModelState;
  #search: NearestReachable | undefined;

  /** @param state  not modified, kept */
  constructor(state: HdbscanModelState) {
    this.state = state;
  }

  /** Builds the index of the points. Without this call, the first labels need it. */
  index(onProgress?: ProgressListener<'index'>): void {
    this.#searchIn(onProgress);
  }

  #searchIn(onProgress?: ProgressListener<'index'>): NearestReachable {
    const {params, points, coreSquared} = this.state;
    const report = reportParts('index', coreSquared.length, onProgress);
    return (this.#search ??= new NearestReachable(points, coreSquared, params.rank, report));
  }

  /** Number of training points or places. */
  get pointCount(): number {
    return this.state.clusters.length;
  }

  /**
   * Labels points: each follows the training point of the smallest mutual reachability, the first one of several, and
   * gets its cluster if it joins that point below the birth of the cluster. The points that the model was made from
   * get their labels and probabilities again, every one.
   *
   * New points do not change the model.
   *
   * @param input  as for `DbscanModel.predict`
   * @returns      arrays owned by the caller
   * @throws InvalidPointsError, InvalidParameterError  as `DbscanModel.predict`
   * @complexity   O(minSamples + log n) a point in few dimensions
   */
  predict(input: PointsInput, options: PredictOptions = {}): HdbscanPrediction {
    if (isNoiseAllowed(options)) {
      const complete = takeComplete(input, this.state.params, {});
      const found = this.predict(complete.points);
      return {
        labels: scatterRows(found.labels, complete.rows, complete.n, NOISE),
        probabilities: scatterRows(found.probabilities, complete.rows, complete.n, 0),
      };
    }
    const {params, clusters, leavesSquared, birthSquared, deathSquared} = this.state;
    const {n, dim, coords} = newPointsOf(this.state, input);
    const labels = new Int32Array(n).fill(NOISE);
    const probabilities = new Float64Array(n);
    const {rootSquared = Infinity} = params;
    const search = this.#searchIn();
    for (let i = 0; i < n; i++) {
      const {index, squared} = search.find(coords, i * dim);
      if (index < 0 || clusters[index] === NOISE) continue;
      const level = Math.max(squared, leavesSquared[index]);
      const birth = birthSquared[index];
      const isMember = birth === Infinity ? level <= rootSquared : squared < birth;
      if (!isMember) continue;
      labels[i] = clusters[index];
      const lambdaMax = 1 / Math.sqrt(deathSquared[index]);
      const lambda = 1 / Math.sqrt(level);
      probabilities[i] = lambda === Infinity || lambdaMax === 0 ? 1 : Math.min(lambda, lambdaMax) / lambdaMax;
    }
    return {labels, probabilities};
  }
}

/**
 * A model of HDBSCAN*, as `createModel`.
 *
 * @returns  holds all points, or places: 8 · dim + 36 bytes each, and a k-d tree over them
 */
export function createHdbscanModel(
  input: PointsInput,
  params: HdbscanModelParams,
  given: HdbscanClustering & MissingRows,
): HdbscanModel {
  checkKnownOptions(params, PARAMS, 'params', 'the parameters of the clustering: {minClusterSize}');
  const {points, result} = clusteredOf(input, given);
  validatePoints(points);
  const {minClusterSize = MIN_CLUSTER_SIZE, minSamples = minClusterSize, countSelf = true, duplicates} = params;
  checkInteger('minSamples', minSamples, 1);
  checkMetric(params);
  const {labels, condensedTree, hierarchy} = result;
  const mapped = clusteredPoints(points, params, labels);
  const first = firstPoints(mapped, duplicates);
  return new HdbscanModel({
    params: {...metricOf(params), rank: countSelf ? minSamples : minSamples + 1, ...rootOf(params, condensedTree)},
    ...namesOf(points),
    points: inFloat64(pointsAt(mapped, first)),
    clusters: first.map((i) => labels[i]),
    coreSquared: filled(new Float64Array(first.length), (k) => hierarchy.coreSquared[first[k]]),
    leavesSquared: filled(new Float64Array(first.length), (k) => condensedTree.leavesSquared[first[k]]),
    ...boundsOf(first, result),
  });
}

/** As `@epsball/hdbscan`: unit vectors bring haversine and cosine to Euclidean distances. */
export function checkMetric(params: MetricOptions): void {
  const {metric} = metricRadius(1, params);
  if (metric === 'euclidean') return;
  throw new InvalidParameterError('metric', metric, 'euclidean, haversine or cosine for hdbscan');
}

function metricOf({metric, angles, epsUnit}: MetricOptions): MetricOptions {
  return {metric, angles, epsUnit};
}

/** The first point of each place. */
function firstPoints(points: PointSet, duplicates: HdbscanModelParams['duplicates']): Int32Array {
  if (duplicates !== 'once') return indicesBelow(pointCount(points));
  const {groupOf, sampleWeight: copies} = collapseDuplicates(points);
  return firstOfGroups(groupOf, copies.length);
}

/** The bound of a selected root: see “The root” in docs/contract.md. */
function rootOf(
  params: HdbscanModelParams,
  {isSelected}: HdbscanClustering['condensedTree'],
): {readonly rootSquared?: number} {
  const {clusterSelectionEpsilon: epsilon = 0} = params;
  if (isSelected[0] !== 1 || epsilon === 0) return {};
  return {rootSquared: limitOf(metricRadius(epsilon, params))};
}

/** Where the cluster of each point begins and ends. */
function boundsOf(
  first: Int32Array,
  {labels, condensedTree}: HdbscanClustering,
): Pick<HdbscanModelState, 'birthSquared' | 'deathSquared'> {
  const {parent, isSelected, clusterOf} = condensedTree;
  const selected = new Int32Array(parent.length);
  // Parents come before their children.
  parent.forEach((above, c) => (selected[c] = isSelected[c] === 1 ? c : above < 0 ? NOISE : selected[above]));
  const valueOf = (values: Float64Array, i: number): number => (labels[i] < 0 ? 0 : values[selected[clusterOf[i]]]);
  return {
    birthSquared: filled(new Float64Array(first.length), (k) => valueOf(condensedTree.birthSquared, first[k])),
    deathSquared: filled(new Float64Array(first.length), (k) => valueOf(condensedTree.deathSquared, first[k])),
  };
}
