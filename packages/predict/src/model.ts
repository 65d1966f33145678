import {
  checkKnownOptions,
  indicesBelow,
  InvalidParameterError,
  limitOf,
  METRIC_OPTIONS,
  metricRadius,
  NOISE,
  pointsAt,
  ProgressMeter,
  reportParts,
  scatterRows,
  takeComplete,
  TIME_PARAMS,
  validateDbscanParams,
  validatePoints,
  type DbscanResult,
  type MetricOptions,
  type MissingOptions,
  type MissingRows,
  type PointSet,
  type PointsInput,
  type ProgressListener,
  type RunOptions,
} from '@epsball/clustering';
import {LowestCluster} from './lowestCluster.ts';
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

/** What a clustering takes; weights, duplicates and missing points do not change how new points are labelled. */
const PARAMS = ['eps', 'minPts', 'sampleWeight', 'collapse', 'missing', ...METRIC_OPTIONS];

/** The parameters of a clustering, as its front door takes them. */
export interface ModelParams extends MetricOptions, MissingOptions {
  readonly eps: number;
  readonly minPts: number;
}

/** What a model keeps: the core points in the space of the metric, in float64. */
export interface ModelState extends ModelPoints {
  readonly params: ModelParams;
  /** Core points in the space where the metric is computed: unit vectors for haversine and cosine. */
  readonly core: PointSet & {readonly coords: Float64Array};
  /** The cluster of each core point. */
  readonly clusters: Int32Array;
}

/** Points between two reports. */
const BLOCK = 2 ** 10;

export interface NearestOptions extends Pick<RunOptions<'index' | 'assign'>, 'onProgress'> {
  /** Finite, > 0, in the unit of eps. Default: no bound. */
  readonly within?: number | undefined;
}

/** A clustering that labels new points. */
export class DbscanModel {
  readonly state: ModelState;
  #search: LowestCluster | undefined;

  /** @param state  not modified, kept */
  constructor(state: ModelState) {
    this.state = state;
  }

  /** Builds the index of the core points. Without this call, the first labels need it. */
  index(onProgress?: ProgressListener<'index'>): void {
    this.#searchIn(onProgress);
  }

  #searchIn(onProgress?: ProgressListener<'index'>): LowestCluster {
    const {params, core, clusters} = this.state;
    const report = reportParts('index', clusters.length, onProgress);
    return (this.#search ??= new LowestCluster(core, clusters, metricRadius(params.eps, params), report));
  }

  /** Number of core points. */
  get coreCount(): number {
    return this.state.clusters.length;
  }

  /**
   * Labels points: the lowest cluster that has a core point within eps, else −1. The points that the model was made
   * from get their labels again, every one.
   *
   * New points do not change the model: they make no point core.
   *
   * @param input  points, as the front door takes them: of the same dimensions and in the same units. Coordinates with
   *               the names of the model's are taken by name, in any order
   * @returns      labels; owned by the caller
   * @throws InvalidPointsError     as the front door
   * @throws InvalidParameterError  if the dimensions differ from those of the model, or the rule is unknown
   * @complexity   O(log n) a point in few dimensions, plus the nodes around the border of its ball
   */
  predict(input: PointsInput, options: PredictOptions = {}): Int32Array {
    if (isNoiseAllowed(options)) {
      const {n, points, rows} = takeComplete(input, this.state.params, {});
      return scatterRows(this.predict(points), rows, n, NOISE);
    }
    const search = this.#searchIn();
    return this.#label(input, (at, offset) => search.of(at, offset));
  }

  /**
   * Labels points by their nearest core point, however far; the lowest cluster of several. −1 beyond `within`, and
   * without a core point.
   *
   * @throws as `predict`; InvalidParameterError also if `within` is out of range
   */
  nearest(input: PointsInput, {within, onProgress}: NearestOptions = {}): Int32Array {
    const limit = within === undefined ? Infinity : limitOf(metricRadius(within, this.state.params));
    const search = this.#searchIn(onProgress);
    const labelOf = (at: Float64Array, offset: number): number => {
      const nearest = search.nearest(at, offset, limit);
      return search.of(at, offset, nearest <= limit && this.coreCount > 0 ? nearest : -1);
    };
    return this.#label(input, labelOf, onProgress);
  }

  #label(
    input: PointsInput,
    labelOf: (at: Float64Array, offset: number) => number,
    onProgress?: NearestOptions['onProgress'],
  ): Int32Array {
    const {n, dim, coords} = newPointsOf(this.state, input);
    const labels = new Int32Array(n);
    const meter = new ProgressMeter(n, onProgress);
    for (let i = 0; i < n; i++) {
      if (i % BLOCK === 0) meter.report('assign', i);
      labels[i] = labelOf(coords, i * dim);
    }
    meter.report('assign', n);
    return labels;
  }
}

/**
 * A model of DBSCAN, as `createModel`.
 *
 * @returns  holds core points only: 8 · dim + 8 bytes each, and a k-d tree over them
 */
export function createDbscanModel(
  input: PointsInput,
  params: ModelParams,
  given: Pick<DbscanResult, 'labels' | 'coreMask'> & MissingRows,
): DbscanModel {
  checkKnownOptions(params, PARAMS, 'params', 'the parameters of the clustering: {eps, minPts}', {
    names: TIME_PARAMS,
    place: () => 'no times: neither a model nor assignNoise takes them',
  });
  const {points, result} = clusteredOf(input, given);
  const {labels, coreMask} = result;
  validatePoints(points);
  const {eps, minPts, metric, angles, epsUnit} = params;
  validateDbscanParams({...metricRadius(eps, params), minPts});
  const mapped = clusteredPoints(points, params, labels);
  const n = labels.length;
  if (coreMask.length !== n)
    throw new InvalidParameterError('coreMask.length', coreMask.length, `${n}, one flag a point`);
  const indices = indicesBelow(coreMask.length).filter((i) => coreMask[i] === 1);
  const noise = indices.find((i) => labels[i] === NOISE);
  if (noise !== undefined) throw new InvalidParameterError(`labels[${noise}]`, NOISE, 'the cluster of a core point');
  return new DbscanModel({
    params: {eps, minPts, metric, angles, epsUnit},
    ...namesOf(points),
    core: inFloat64(pointsAt(mapped, indices)),
    clusters: indices.map((i) => labels[i]),
  });
}
