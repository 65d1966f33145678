import {
  checkInteger,
  checkMissing,
  InvalidParameterError,
  metricDistance,
  metricPoints,
  METRIC_OPTIONS,
  checkKnownOptions,
  keepPoints,
  metricRadius,
  partOfPhases,
  pointCount,
  takeComplete,
  TIME_PARAMS,
  throwIfAborted,
  type MetricOptions,
  type MissingOptions,
  type PointsInput,
  type ProgressListener,
} from '@epsball/clustering';
import {createDbscan} from '../dbscan.ts';
import {cutOf, kDistances, kneeOf} from './kDistances.ts';
import {longestPlateau, type ClusterCount, type Plateau} from './plateau.ts';

export interface SuggestOptions extends MetricOptions, MissingOptions {
  /** Integer ≥ 1. Default: twice the dimensions, at least 4. */
  readonly minPts?: number | undefined;
  /** Points whose k-distance is measured, drawn at random. Default: 20,000. */
  readonly queries?: number | undefined;
  /** Default: 1. */
  readonly seed?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Of `try`, `total` is how many clusterings there can be, and `done` those before and the part of this one. */
  readonly onProgress?: ProgressListener<'index' | 'distances' | 'try'> | undefined;
}

/** A proposal for eps, and what it gives on all points. */
export interface Proposal {
  /** In the unit of the metric. */
  readonly eps: number;
  readonly clusters: number;
  readonly noise: number;
  /** Why the result is of little use, or undefined. */
  readonly warning?: string;
}

export interface Suggestion {
  readonly minPts: number;
  /** Distances to the minPts-th nearest point, ascending, in the unit of the metric. */
  readonly distances: Float64Array;
  /**
   * How many of them are 0: those of points with minPts points at their place, which are core for every eps. Knee and
   * cut leave them out.
   */
  readonly zeroDistances: number;
  /** The knee of the distances (Kneedle), and its height from 0 to 1. */
  readonly knee?: Proposal & {readonly height: number};
  /** The cut between two modes of log distance (Otsu). */
  readonly cut?: Proposal;
  /** The middle of the longest plateau of the number of clusters; `octaves`, its length, is the confidence. */
  readonly plateau?: Proposal & Pick<Plateau, 'from' | 'to' | 'octaves'>;
  /** The number of clusters at the eps that were tried, ascending. */
  readonly counts: readonly ClusterCount[];
  /** Whether the plateau is half an octave or longer. Where it is not, there is no structure at this scale. */
  readonly hasStructure: boolean;
}

/** Steps of eps an octave, which are also those below the first one, and steps at most. */
const STEPS = 4;
const STEPS_MAX = 48;

/** Clusterings at most: above, the octave below, and one for each proposal. */
const RUNS_MAX = STEPS_MAX + STEPS + 3;

/** A plateau from half an octave on is structure. The margin covers the rounding of steps. */
const OCTAVES_MIN = 0.5 - 1e-9;

const OPTIONS = ['minPts', 'queries', 'seed', 'signal', 'onProgress', 'missing', ...METRIC_OPTIONS];

/**
 * Proposes eps for DBSCAN in three ways: the knee of the k-distances, the cut between the two modes of their logarithm,
 * and the plateau of the number of clusters. Runs on the processor.
 *
 * @param input    points, as `dbscan` takes them; at least two
 * @param options  minPts, and the metric: euclidean, haversine or cosine. Points that `missing` makes noise or leaves
 *                 out count nowhere
 * @throws InvalidParameterError, InvalidPointsError, RunAbortedError
 * @throws UnsupportedDimensionError  beyond 1536 dimensions
 * @complexity     up to 20,000 searches in a k-d tree, and up to 55 clusterings
 */
export async function suggestEps(input: PointsInput, options: SuggestOptions = {}): Promise<Suggestion> {
  checkKnownOptions(options, OPTIONS, 'options', 'an object such as {minPts: 5}', {
    names: TIME_PARAMS,
    place: () => 'no times: suggestEps proposes eps for points without them',
  });
  const {missing, ...others} = options;
  checkMissing(missing);
  const mayLack = missing === 'noise' || missing === 'drop';
  return suggestFor(mayLack ? takeComplete(input, others, {}).points : input, others);
}

async function suggestFor(input: PointsInput, options: Omit<SuggestOptions, 'missing'>): Promise<Suggestion> {
  const points = keepPoints(input);
  const n = pointCount(points);
  const {minPts = Math.max(4, 2 * points.dim), queries = 20_000, seed = 1, signal, onProgress, ...metric} = options;
  if (n < 2) throw new InvalidParameterError('points', n, 'at least two points');
  checkInteger('minPts', minPts, 1);
  checkInteger('queries', queries, 1);
  checkInteger('seed', seed, 0);
  if (metric.metric === 'manhattan' || metric.metric === 'chebyshev') {
    throw new InvalidParameterError('metric', metric.metric, 'euclidean, haversine or cosine');
  }
  metricRadius(1, metric);
  if (minPts > n) {
    if (options.minPts !== undefined) throw new InvalidParameterError('minPts', minPts, `at most ${n}, the points`);
    throw new InvalidParameterError('points', n, `at least ${minPts}, the default minPts in ${points.dim} dimensions`);
  }
  const inUnit = (distance: number): number => metricDistance(distance, metric);
  const sampled = {queries, seed};
  const measured = await kDistances(metricPoints(points, metric), minPts, sampled, {signal, onProgress});
  const distances = measured.distances.map(inUnit);
  const positive = distances.filter(isScale);
  const between = measured.placeDistances.map(inUnit).filter(isScale);
  const scales = Float64Array.from([...positive, ...between]).sort();
  using dbscan = await createDbscan({backend: 'sequential'});
  const nextTry = reportTries(onProgress);
  const sizesAt = async (eps: number): Promise<Sizes> => {
    throwIfAborted(signal, 'suggest');
    const run = {signal, onProgress: nextTry()};
    const {labels, clusterCount} = await dbscan.run(points, {...metric, minPts, eps}, run);
    const sizes = {clusters: Array.from({length: clusterCount}, () => 0), noise: 0};
    for (const label of labels) {
      if (label < 0) sizes.noise++;
      else sizes.clusters[label]++;
    }
    return sizes;
  };
  const propose = async (eps: number): Promise<Proposal> => {
    const {clusters, noise} = await sizesAt(eps);
    const found = {eps, clusters: clusters.length, noise};
    const warning = warningOf(found);
    return warning === undefined ? found : {...found, warning};
  };
  const {counts, plateau} = await findPlateau(scales, measured.placeDistances.length > 0, sizesAt);
  const knee = kneeOf(positive);
  const cut = cutOf(positive);
  return {
    minPts,
    distances,
    zeroDistances: measured.placeDistances.length,
    ...(knee && {knee: {...(await propose(knee.at)), height: knee.height}}),
    ...(cut !== undefined && {cut: await propose(cut)}),
    ...(plateau && {plateau: {...plateau, ...(await propose(plateau.eps))}}),
    counts,
    hasStructure: isStructure(plateau),
  };
}

/** Reports one clustering after another: each call begins the next. */
function reportTries(onProgress: SuggestOptions['onProgress']): () => ProgressListener {
  let tried = 0;
  return () => {
    const before = tried++;
    const report = (part: number): void => onProgress?.({phase: 'try', done: before + part, total: RUNS_MAX});
    report(0);
    return partOfPhases(report);
  };
}

function isScale(distance: number): boolean {
  return distance > 0 && distance < Infinity;
}

function isStructure(plateau: Plateau | undefined): boolean {
  return plateau !== undefined && plateau.octaves >= OCTAVES_MIN;
}

/** Why a clustering is of little use: all points are noise, or one cluster holds all; undefined otherwise. */
export function warningOf({clusters, noise}: {readonly clusters: number; readonly noise: number}): string | undefined {
  if (clusters === 0 && noise > 0) return 'all points are noise: eps is too small, or minPts too large';
  return clusters === 1 && noise === 0 ? 'one cluster holds all points: eps is too large' : undefined;
}

interface Sizes {
  readonly clusters: number[];
  noise: number;
}

/**
 * The number of clusters for rising eps, from a low quantile of the ascending scales on, and its longest plateau.
 * Places that are core for every eps are clusters also below: where there is no plateau above, the octave below
 * counts, too. It comes second because places of rounded coordinates are apart there, whatever they form.
 */
async function findPlateau(
  scales: Float64Array,
  hasCorePlaces: boolean,
  sizesAt: (eps: number) => Promise<Sizes>,
): Promise<{readonly counts: readonly ClusterCount[]; readonly plateau: Plateau | undefined}> {
  if (scales.length === 0) return {counts: [], plateau: undefined};
  const low = scales[Math.floor(scales.length / 20)];
  const above = await climb(low, 0, STEPS_MAX, sizesAt);
  const plateau = longestPlateau(above);
  if (!hasCorePlaces || isStructure(plateau)) return {counts: above, plateau};
  const counts = [...(await climb(low, -STEPS, 0, sizesAt)), ...above];
  return {counts, plateau: longestPlateau(counts)};
}

async function climb(
  low: number,
  from: number,
  to: number,
  sizesAt: (eps: number) => Promise<Sizes>,
): Promise<ClusterCount[]> {
  const counts: ClusterCount[] = [];
  for (let step = from; step < to; step++) {
    const eps = low * 2 ** (step / STEPS);
    // An underflow.
    if (eps === 0) continue;
    const {clusters, noise} = await sizesAt(eps);
    const n = noise + clusters.reduce((sum, size) => sum + size, 0);
    counts.push({eps, clusters: clusters.filter((size) => size >= Math.max(2, n / 200)).length});
    if (clusters.length === 1 && noise < n / 100) break;
  }
  return counts;
}
