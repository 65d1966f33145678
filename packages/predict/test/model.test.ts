import {
  comparedDistance,
  limitOf,
  metricPoints,
  metricRadius,
  toPoints,
  type DbscanParams,
  type MetricOptions,
  type NamedPoints,
} from '@epsball/clustering';
import {dbscanOracle, type DbscanLabels} from '@epsball/clustering/definition';
import {seededRandom} from '@epsball/conformance';
import {sizeOfShare} from '@epsball/conformance/share';
import {describe, expect, it} from 'vitest';
import {assignNoise, createModel, DbscanModel, loadModel, saveModel, type ModelParams} from '../src/index.ts';

const GLOBE = {metric: 'haversine', angles: 'degrees', epsUnit: 'km'} as const;

/** Labels by the definition, in the space of the metric. */
function cluster(points: NamedPoints, params: ModelParams & Pick<DbscanParams, 'sampleWeight'>): DbscanLabels {
  const radius = metricRadius(params.eps, params);
  const {minPts, sampleWeight} = params;
  return dbscanOracle(metricPoints(points, params), {...radius, minPts, sampleWeight});
}

/** The lowest cluster within eps, by all pairs. */
function lowestCluster(points: NamedPoints, added: NamedPoints, params: ModelParams, result: DbscanLabels): number[] {
  const {dim} = points;
  const both = toPoints({coords: Float64Array.of(...points.coords, ...added.coords), dim});
  const {coords, dim: mappedDim} = metricPoints(both, params);
  const radius = metricRadius(params.eps, params);
  const n = result.labels.length;
  return Array.from({length: added.coords.length / dim}, (_, k) => {
    let lowest = Infinity;
    for (let j = 0; j < n; j++) {
      if (result.coreMask[j] === 0) continue;
      const distance = comparedDistance(coords, mappedDim, n + k, j, radius.metric ?? 'euclidean');
      if (distance <= limitOf(radius)) lowest = Math.min(lowest, result.labels[j]);
    }
    return lowest === Infinity ? -1 : lowest;
  });
}

/** Random sets in each metric: lattices, on which distances are at eps, and random points. */
function randomSet(run: number): {points: NamedPoints; added: NamedPoints; params: ModelParams} {
  const random = seededRandom(run);
  const metrics: readonly MetricOptions[] = [
    {},
    {metric: 'manhattan'},
    {metric: 'chebyshev'},
    {metric: 'cosine'},
    GLOBE,
  ];
  const options = metrics[run % metrics.length];
  const dim = options === GLOBE ? 2 : 1 + Math.floor(random() * 5);
  const isLattice = random() < 0.4;
  const value = (): number => (isLattice ? Math.floor(random() * 5) + 1 : random() * 5 + 1);
  const make = (n: number): NamedPoints => ({coords: Float64Array.from({length: n * dim}, value), dim});
  const eps = options === GLOBE ? 80 : options.metric === 'cosine' ? 0.01 : isLattice ? 1 : 0.6;
  return {points: make(120), added: make(60), params: {...options, eps, minPts: 1 + Math.floor(random() * 5)}};
}

describe('predict', () => {
  it('gives the points of the clustering their labels', () => {
    for (let run = 0; run < sizeOfShare(600); run++) {
      const {points, params} = randomSet(run);
      const random = seededRandom(run + 1e6);
      const n = points.coords.length / points.dim;
      const sampleWeight =
        run % 3 === 0 ? Float64Array.from({length: n}, () => Math.floor(random() * 6) - 1) : undefined;
      const result = cluster(points, {...params, sampleWeight});
      expect(createModel(points, params, result).predict(points)).toEqual(result.labels);
    }
  });

  it('gives new points the lowest cluster within eps', () => {
    for (let run = 0; run < sizeOfShare(300); run++) {
      const {points, added, params} = randomSet(run);
      const result = cluster(points, params);
      expect([...createModel(points, params, result).predict(added)]).toEqual(
        lowestCluster(points, added, params, result),
      );
    }
  });

  it('takes float32 points and those of other arrays', () => {
    const points = {coords: Float32Array.of(0.1, 0.2, 0.9), dim: 1};
    const params = {eps: 0.11, minPts: 2};
    const result = cluster(points, params);
    const model = createModel(points, params, result);
    expect(model.predict(points)).toEqual(result.labels);
    expect(model.predict([[0.15], [0.5]])).toEqual(Int32Array.of(0, -1));
    expect(model.predict([])).toEqual(new Int32Array(0));
    expect(model.coreCount).toBe(2);
  });

  it('finds noise only, where nothing is core', () => {
    const points = {coords: Float64Array.of(0, 5), dim: 1};
    const params = {eps: 1, minPts: 2};
    expect(createModel(points, params, cluster(points, params)).predict([[0], [5]])).toEqual(Int32Array.of(-1, -1));
  });

  it('rejects other dimensions, bad points, and results of other points', () => {
    const points = {coords: Float64Array.of(0, 1), dim: 1};
    const params = {eps: 1, minPts: 1};
    const result = cluster(points, params);
    const model = createModel(points, params, result);
    expect(() => model.predict([[1, 2]])).toThrow('dim = 2; expected 1, as the points of the model');
    expect(() => model.predict([[NaN]])).toThrow('point 0, axis 0 = NaN');
    expect(() => createModel([[1]], params, result)).toThrow('labels.length = 2; expected 1');
    expect(() => createModel(points, {eps: 0, minPts: 1}, result)).toThrow('eps = 0');
  });
});

describe('names', () => {
  const points = {coords: Float64Array.of(0, 0, 0, 1, 5, 0, 5, 1), dim: 2, columns: ['x', 'y']};
  const params = {eps: 1, minPts: 2};

  it('of coordinates are taken in any order, also from a file', async () => {
    const model = createModel(points, params, cluster(points, params));
    const swapped = {coords: Float64Array.of(0, 5, 5, 0), dim: 2, columns: ['y', 'x']};
    for (const one of [model, await loadModel(await saveModel(model))]) {
      expect(one.predict(swapped)).toEqual(Int32Array.of(1, -1));
      expect(one.predict([[5, 0]])).toEqual(Int32Array.of(1));
    }
  });

  it('of parameters that do not exist are refused, and a result without its parts', () => {
    const result = cluster(points, params);
    expect(() => createModel(points, {...params, metrc: 'haversine'} as never, result)).toThrow('metric');
    for (const label of [createModel, assignNoise]) {
      expect(() => label(points, {...params, epsTime: 5} as never, result)).toThrow(
        'option = "epsTime"; expected no times',
      );
    }
    expect(() => createModel(points, params, undefined as never)).toThrow('result = undefined');
    expect(() => createModel(points, params, {labels: result.labels} as never)).toThrow('expected the result');
  });
});

describe('a model file', () => {
  it('holds the model to the last bit', async () => {
    for (let run = 0; run < 10; run++) {
      const {points, added, params} = randomSet(run);
      const model = createModel(points, params, cluster(points, params));
      const loaded = await loadModel(await saveModel(model));
      expect(loaded.state).toEqual(model.state);
      expect(loaded.predict(added)).toEqual(model.predict(added));
    }
  });

  it('may hold no core point', async () => {
    const points = {coords: Float64Array.of(0, 5), dim: 1};
    const model = createModel(
      points,
      {eps: 1, minPts: 9},
      {labels: Int32Array.of(-1, -1), coreMask: new Uint8Array(2)},
    );
    const loaded = await loadModel(await saveModel(model));
    expect(loaded instanceof DbscanModel && loaded.coreCount).toBe(0);
    expect(loaded.predict([[0]])).toEqual(Int32Array.of(-1));
  });

  it('is rejected if it is something else', async () => {
    await expect(loadModel(Uint8Array.of(1, 2, 3))).rejects.toThrow('expected ');
    const {tableFromArrays, tableToIPC} = await import('apache-arrow');
    const other = tableToIPC(tableFromArrays({x: Float64Array.of(1)}), 'file');
    await expect(loadModel(other)).rejects.toThrow('an Arrow file with the metadata epsball.model');
  });
});
