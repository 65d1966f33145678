import {
  NOISE,
  pointCount,
  pointsAt,
  squaredDistance,
  squaredEps,
  validatePoints,
  type PointSet,
} from '@epsball/clustering';
import type {HdbscanAnswer, HdbscanCaseParams, HdbscanFlaw, OracleEdge} from './definition.ts';
import {exactSum} from './exactSum.ts';
import {distinctPlaces, everyPoint, type OraclePlaces} from './places.ts';
import {selectClusters, stabilityOf} from './selection.ts';
import {condense, lambdaOf, subtree, type OracleCluster} from './tree.ts';

/**
 * HDBSCAN* by its definition: Prim over all pairs of places, the hierarchy level by level, a literal condensed tree.
 * With `duplicates: 'count'` every point is a place of its own.
 *
 * @param points  not modified
 * @param flaw    for mutants
 * @returns       arrays owned by the caller
 * @complexity    O(n²) time, and O(n · levels)
 * @source        Campello, Moulavi and Sander 2013; McInnes and Healy 2017; docs/contract.md
 */
export function hdbscanOracle(points: PointSet, params: HdbscanCaseParams, flaw: HdbscanFlaw = {}): HdbscanAnswer {
  validatePoints(points);
  if (flaw.dropsWeightless === true) return withoutWeightless(points, params, flaw);
  const exact = {coords: new Float64Array(points.coords), dim: points.dim};
  const {minClusterSize, minSamples = minClusterSize, countSelf = true, duplicates = 'count'} = params;
  const isOnce = duplicates === 'once' && flaw.ignoresOnce !== true;
  const places = isOnce ? distinctPlaces(exact) : everyPoint(exact);
  const answer = clusterPlaces(places, params, minSamples + (countSelf ? 0 : 1) + (flaw.coreRank ?? 0), flaw);
  // Copies share label, probability and score.
  const placeOf = new Int32Array(pointCount(points));
  places.copies.forEach((copies, place) => copies.forEach((point) => (placeOf[point] = place)));
  return {
    labels: Int32Array.from(placeOf, (place) => answer.labels[place]),
    probabilities: Float64Array.from(placeOf, (place) => answer.probabilities[place]),
    outlierScores: Float64Array.from(placeOf, (place) => answer.outlierScores[place]),
    clusterCount: answer.clusterCount,
    condensedTree: answer.condensedTree,
    hierarchy: {
      cut: (eps) => {
        const labels = answer.hierarchy.cut(eps);
        return Int32Array.from(placeOf, (place) => labels[place]);
      },
    },
  };
}

/** The answer by place. */
function clusterPlaces(
  {points: exact, copies}: OraclePlaces,
  params: HdbscanCaseParams,
  rank: number,
  flaw: HdbscanFlaw,
): HdbscanAnswer {
  const n = copies.length;
  const weights = copies.map((own) => weightsOf(own, params, flaw));
  const core = coreSquares(exact, rank, flaw.weighsCores === true ? weights.map((own) => exactSum(own)) : undefined);
  const edges = flaw.takesAnyTree === true ? chain(exact, core) : prim(exact, core);
  const {rounds = (squared: number) => squared} = flaw;
  const tree = edges.map(({a, b, squared}) => ({a, b, squared: rounds(squared)}));
  const hasCores = rank <= n;
  // A self-edge (Campello 2013) goes in its step, too. It matters to a place that is alone in the root.
  const selfEdges = Array.from(core, (squared, i) => ({a: i, b: i, squared}));
  const clusters = condense(weights, hasCores ? [...selfEdges, ...tree] : [], params.minClusterSize, flaw);
  const isEnough = clusters[0].size >= params.minClusterSize;
  const selected = hasCores && isEnough ? selectClusters(clusters, params, flaw) : [];
  return {
    ...describe(n, clusters, selected, params, flaw),
    condensedTree: {
      size: Float64Array.from(clusters, ({size}) => size),
      stability: Float64Array.from(clusters, (cluster) => stabilityOf(cluster)),
    },
    hierarchy: {cut: (eps) => cut(hasCores ? core : core.fill(NaN), edges, eps, flaw)},
  };
}

/** The weights of the points at a place; 1 each without weights. */
function weightsOf(points: readonly number[], {sampleWeight}: HdbscanCaseParams, flaw: HdbscanFlaw): number[] {
  const own = points.map((i) => (flaw.ignoresWeights === true ? 1 : (sampleWeight?.[i] ?? 1)));
  if (flaw.countsPlaces === true) return [1];
  return flaw.weighsLargestCopy === true ? [Math.max(...own)] : own;
}

/**
 * Squared distance of each point to its k-th nearest point, itself counted; infinite if there is none.
 *
 * @param weights  for a mutant: each point counts as many times. Default: 1
 */
function coreSquares({coords, dim}: PointSet, k: number, weights?: readonly number[]): Float64Array {
  const n = coords.length / dim;
  return Float64Array.from({length: n}, (_, i) => {
    const others = Array.from({length: n}, (__, j) => ({j, squared: squaredDistance(coords, dim, i, j)}));
    others.sort((a, b) => a.squared - b.squared || 0);
    let count = 0;
    return others.find(({j}) => (count += weights?.[j] ?? 1) >= k)?.squared ?? Infinity;
  });
}

/** The answer of a mutant: points of weight 0 are noise, and no neighbours. */
function withoutWeightless(points: PointSet, params: HdbscanCaseParams, flaw: HdbscanFlaw): HdbscanAnswer {
  const {sampleWeight} = params;
  const all = Array.from({length: pointCount(points)}, (_, i) => i);
  const kept = sampleWeight === undefined ? all : all.filter((i) => sampleWeight[i] > 0);
  const answer = hdbscanOracle(
    pointsAt(points, kept),
    sampleWeight === undefined ? params : {...params, sampleWeight: kept.map((i) => sampleWeight[i])},
    {...flaw, dropsWeightless: false},
  );
  const valuesOf = (values: ArrayLike<number>, other: number): number[] =>
    all.map((i) => values[kept.indexOf(i)] ?? other);
  return {
    ...answer,
    labels: Int32Array.from(valuesOf(answer.labels, NOISE)),
    probabilities: Float64Array.from(valuesOf(answer.probabilities, 0)),
    outlierScores: Float64Array.from(valuesOf(answer.outlierScores, 0)),
    hierarchy: {cut: (eps) => Int32Array.from(valuesOf(answer.hierarchy.cut(eps), NOISE))},
  };
}

function weight({coords, dim}: PointSet, core: Float64Array, i: number, j: number): number {
  return Math.max(core[i], core[j], squaredDistance(coords, dim, i, j));
}

/** A minimum spanning tree of mutual reachability, squared. */
function prim(points: PointSet, core: Float64Array): OracleEdge[] {
  const n = core.length;
  const nearest = new Float64Array(n).fill(Infinity);
  const from = new Int32Array(n);
  const isIn = new Uint8Array(n);
  const edges: OracleEdge[] = [];
  for (let next = 0, count = 1; count < n; count++) {
    isIn[next] = 1;
    let best = -1;
    for (let j = 0; j < n; j++) {
      if (isIn[j] === 1) continue;
      const squared = weight(points, core, next, j);
      if (squared < nearest[j]) {
        nearest[j] = squared;
        from[j] = next;
      }
      if (best < 0 || nearest[j] < nearest[best]) best = j;
    }
    edges.push({a: from[best], b: best, squared: nearest[best]});
    next = best;
  }
  return edges;
}

/** A spanning tree that is not minimal. */
function chain(points: PointSet, core: Float64Array): OracleEdge[] {
  return Array.from({length: Math.max(0, core.length - 1)}, (_, k) => ({
    a: k,
    b: k + 1,
    squared: weight(points, core, k, k + 1),
  }));
}

function describe(
  n: number,
  clusters: readonly OracleCluster[],
  selected: readonly OracleCluster[],
  {clusterSelectionEpsilon = 0}: HdbscanCaseParams,
  flaw: HdbscanFlaw,
): Omit<HdbscanAnswer, 'hierarchy' | 'condensedTree'> {
  const {isWithin = (squared: number, eps2: number) => squared <= eps2, rootIsUnbounded = false} = flaw;
  const labels = new Int32Array(n).fill(NOISE);
  const probabilities = new Float64Array(n);
  const outlierScores = new Float64Array(n);
  const numbered = [...selected];
  if (flaw.numbersByTree !== true) numbered.sort((a, b) => Math.min(...a.members) - Math.min(...b.members));
  for (const cluster of clusters) {
    const deepest = lambdaOf(Math.min(...subtree(clusters, cluster).map(({death}) => death)));
    for (const {point, squared} of cluster.leaving) outlierScores[point] = score(lambdaOf(squared), deepest);
  }
  let clusterCount = numbered.length;
  numbered.forEach((cluster, label) => {
    const most = lambdaOf(cluster.death);
    const isBounded = cluster.parent === undefined && clusterSelectionEpsilon > 0 && !rootIsUnbounded;
    const members = subtree(clusters, cluster)
      .flatMap(({leaving}) => leaving)
      .filter(({squared}) => !isBounded || isWithin(squared, squaredEps(clusterSelectionEpsilon)));
    if (members.length === 0) clusterCount--;
    for (const {point, squared} of members) {
      labels[point] = label;
      const lambda = lambdaOf(squared);
      probabilities[point] = lambda === Infinity || most === 0 ? 1 : Math.min(lambda, most) / most;
    }
  });
  return {labels, probabilities, outlierScores, clusterCount};
}

/** GLOSH. */
function score(lambda: number, deepest: number): number {
  if (lambda === Infinity || deepest === 0) return 0;
  return deepest === Infinity ? 1 : (deepest - lambda) / deepest;
}

/** DBSCAN's core partition by the tree. */
function cut(core: Float64Array, edges: readonly OracleEdge[], eps: number, flaw: HdbscanFlaw): Int32Array {
  const {isCut = (squared: number) => squared <= squaredEps(eps)} = flaw;
  const labels = new Int32Array(core.length).fill(NOISE);
  const kept = edges.filter(({squared}) => isCut(squared, eps));
  let count = 0;
  core.forEach((squared, i) => {
    if (labels[i] !== NOISE || !isCut(squared, eps)) return;
    labels[i] = count;
    for (let hasGrown = true; hasGrown;) {
      hasGrown = false;
      for (const {a, b} of kept) {
        if ((labels[a] === count) === (labels[b] === count)) continue;
        labels[a] = labels[b] = count;
        hasGrown = true;
      }
    }
    count++;
  });
  return labels;
}
