import {describe, expect, it} from 'vitest';
import {
  isNeighbor,
  metricPoints,
  metricRadius,
  type DbscanParams,
  type MetricOptions,
  type PointSet,
  type Progress,
} from '@epsball/clustering';
import {dbscanOracle} from '@epsball/clustering/definition';
import {gaussian, nextAfter, seededRandom} from '@epsball/conformance';
import {SHARE} from '@epsball/conformance/share';
import {dbscan, explain, type DbscanRequest} from '../src/index.ts';

function oracle(points: PointSet, request: DbscanRequest): {labels: Int32Array; coreMask: Uint8Array} {
  const {eps, minPts, sampleWeight, metric, angles, epsUnit} = request;
  const options: MetricOptions = {metric, angles, epsUnit};
  const params: DbscanParams = {...metricRadius(eps, options), minPts};
  const weights = sampleWeight === undefined ? {} : {sampleWeight: Float64Array.from(sampleWeight)};
  return dbscanOracle(metricPoints(points, options), {...params, ...weights});
}

/** The labels of now of the points that are core at an eps, and within it of a row. */
function reachedAt(
  points: PointSet,
  {metric, angles, epsUnit}: DbscanRequest,
  labels: Int32Array,
  row: number,
  eps: number,
  coreMask: Uint8Array,
): number[] {
  const options: MetricOptions = {metric, angles, epsUnit};
  const space = metricPoints(points, options);
  const isReached = (j: number): boolean =>
    labels[j] >= 0 && coreMask[j] === 1 && isNeighbor(space.coords, space.dim, row, j, metricRadius(eps, options));
  return Array.from(labels.keys())
    .filter(isReached)
    .map((j) => labels[j]);
}

interface Told {
  noise: number;
  notCore: number;
}

/** Runs DBSCAN at each told eps and at the float64 before it. */
function checkTold(points: PointSet, request: DbscanRequest, counts: Told): void {
  const result = oracle(points, request);
  const rows = Array.from(result.labels.keys()).filter((i) => result.coreMask[i] === 0);
  for (const one of explain(points, request, result, rows)) {
    const at = (eps: number): ReturnType<typeof oracle> => oracle(points, {...request, eps});
    expect(one.label).toBe(result.labels[one.row]);
    if (one.coreEps < Infinity) {
      expect(at(one.coreEps).coreMask[one.row], `row ${one.row} is core at ${one.coreEps}`).toBe(1);
      if (nextAfter(one.coreEps, -1) > 0) expect(at(nextAfter(one.coreEps, -1)).coreMask[one.row]).toBe(0);
      counts.notCore++;
    }
    if (one.label >= 0) continue;
    expect(one.labelEps).toBeGreaterThan(request.eps);
    expect(at(one.labelEps).labels[one.row], `row ${one.row} has a label at ${one.labelEps}`).toBeGreaterThanOrEqual(0);
    expect(at(nextAfter(one.labelEps, -1)).labels[one.row]).toBe(-1);
    counts.noise++;
    if (one.cluster < 0) continue;
    // A border point of several clusters has the lowest label, which may be another one.
    const reached = reachedAt(points, request, result.labels, one.row, one.clusterEps, at(one.clusterEps).coreMask);
    expect(Math.min(...reached)).toBe(one.cluster);
    const below = nextAfter(one.clusterEps, -1);
    expect(reachedAt(points, request, result.labels, one.row, below, at(below).coreMask)).toEqual([]);
  }
}

describe('explain', () => {
  it.for<[string, number, Partial<DbscanRequest>]>([
    ['euclidean', 2, {}],
    ['euclidean on a lattice', 2, {}],
    ['manhattan', 3, {metric: 'manhattan'}],
    ['chebyshev', 2, {metric: 'chebyshev'}],
    ['haversine', 2, {metric: 'haversine', angles: 'degrees', epsUnit: 'km'}],
    ['cosine', 3, {metric: 'cosine'}],
    ['weights', 2, {}],
  ])('tells what comes true: %s', ([name, dim, metric]) => {
    const counts = {noise: 0, notCore: 0};
    const most = (SHARE >= 1 ? 10_000 : 200) / 5;
    for (let seed = 0; counts.noise < most || counts.notCore < most; seed++) {
      const random = seededRandom(seed);
      const draw = (): number => gaussian(random) * (random() < 0.5 ? 1 : 6);
      const scale = name.endsWith('lattice') ? Math.round : (x: number): number => x;
      const points = {coords: Float64Array.from({length: 60 * dim}, () => scale(draw())), dim};
      const eps = metric.metric === 'haversine' ? 60 : metric.metric === 'cosine' ? 1e-3 : 0.8;
      const sampleWeight = name === 'weights' ? Float64Array.from({length: 60}, () => 3 * random()) : undefined;
      checkTold(points, {eps, minPts: 3 + (seed % 4), ...metric, sampleWeight}, counts);
    }
  });

  it('finds the eps of a core point among many, in any order of the rows', async () => {
    const n = 1500;
    const row = 17;
    for (const order of ['ascending', 'descending', 'mixed']) {
      const values = Float64Array.from({length: n}, (_, i) => (order === 'mixed' ? (i * 1009) % n : i));
      const points = {coords: order === 'descending' ? values.toReversed() : values, dim: 1};
      for (const minPts of [2, 600, n]) {
        const params = {eps: 1, minPts};
        const result = await dbscan(points, {...params, backend: 'sequential'});
        const [{coreEps}] = explain(points, params, result, [row]);
        const far = points.coords.map((x) => Math.abs(x - points.coords[row])).sort();
        expect([order, minPts, coreEps]).toEqual([order, minPts, far[minPts - 1] || expect.any(Number)]);
      }
    }
  });

  it('counts neighbours, and says what is missing', async () => {
    const points = [[0], [1], [2], [5], [9]];
    const params = {eps: 1, minPts: 3};
    const told: number[] = [];
    const onProgress = ({done, total}: Progress): number => told.push(done, total);
    const explained = explain(points, params, await dbscan(points, params), [1, 3, 4], {onProgress});
    expect(told.filter((_, k) => k % 2 === 0)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(told[1]).toBe(9);
    expect(explained).toEqual([
      {
        row: 1,
        label: 0,
        isCore: true,
        neighbors: 3,
        weight: 3,
        missing: 0,
        coreEps: 1,
        labelEps: 1,
        clusterEps: 1,
        cluster: 0,
      },
      {
        row: 3,
        label: -1,
        isCore: false,
        neighbors: 1,
        weight: 1,
        missing: 2,
        coreEps: 4,
        labelEps: 3,
        clusterEps: 3,
        cluster: 0,
      },
      {
        row: 4,
        label: -1,
        isCore: false,
        neighbors: 1,
        weight: 1,
        missing: 2,
        coreEps: 7,
        labelEps: 4,
        clusterEps: 7,
        cluster: 0,
      },
    ]);
  });

  it('tells infinity where no eps is enough, and names wrong input', async () => {
    const points = [[0], [1]];
    const params = {eps: 1, minPts: 3};
    const result = await dbscan(points, params);
    const [{coreEps, labelEps, clusterEps, cluster}] = explain(points, params, result, [0]);
    expect([coreEps, labelEps, clusterEps, cluster]).toEqual([Infinity, Infinity, Infinity, -1]);
    expect(() => explain(points, params, result, [2])).toThrow('row = 2; expected 0 to 1');
    expect(() => explain([[0]], params, result, [0])).toThrow('labels.length = 2; expected 1, one a point');
    expect(() => explain(points, {eps: -1, minPts: 3}, result, [0])).toThrow('eps = -1');
  });
});
