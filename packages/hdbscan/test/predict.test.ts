import {pointCount, type PointSet} from '@epsball/clustering';
import {seededRandom} from '@epsball/conformance';
import {createHdbscanSequential, hdbscan} from '@epsball/hdbscan';
import {createModel, HdbscanModel, loadModel, saveModel} from '@epsball/predict';
import {afterAll, describe, expect, it} from 'vitest';
import {casesFor, randomSetsFor, wideCasesFor} from './hdbscanSets.ts';
import type {HdbscanCase} from './oracle/definition.ts';
import {predictOracle, type PredictFlaw} from './oracle/predicted.ts';

const cases = [...casesFor('predict'), ...randomSetsFor('predict'), ...wideCasesFor('predict')];
const algorithm = createHdbscanSequential();
afterAll(() => algorithm.destroy());

/** New points: at training points, between two of them, and beside one, which on a lattice has many ties. */
function addedTo({coords, dim}: PointSet, seed: number): PointSet {
  const random = seededRandom(seed);
  const n = coords.length / dim;
  const added = Array.from({length: n === 0 ? 0 : 30}, (_, k) => {
    const [i, j] = [Math.floor(random() * n), Math.floor(random() * n)];
    const step = (random() - 0.5) * 4;
    return Array.from({length: dim}, (__, d) => {
      const [a, b] = [coords[i * dim + d], coords[j * dim + d]];
      return [a, a / 2 + b / 2, a + step, a + Math.round(step)][k % 4];
    });
  });
  return {coords: Float64Array.from(added.flat().map((x) => (Number.isFinite(x) ? x : 0))), dim};
}

/** The model of a case, its training points and new ones. */
async function grow({points: make, params}: HdbscanCase, k: number) {
  const points = make();
  const result = await algorithm.run(points, params);
  return {points, params, result, added: addedTo(points, k), model: createModel(points, params, result)};
}

describe('a model of HDBSCAN*', () => {
  it('gives the points of every case their labels and probabilities', async () => {
    for (const [k, one] of cases.entries()) {
      const {points, model, result} = await grow(one, k);
      const {labels, probabilities} = model.predict(points);
      expect(labels, one.name).toEqual(result.labels);
      expect(probabilities, one.name).toEqual(result.probabilities);
    }
  });

  it('gives new points the labels and probabilities of the definition', async () => {
    const flaws: readonly PredictFlaw[] = [
      {countsItself: true},
      {ignoresCores: true},
      {joinsAtBirth: true},
      {ignoresLeaves: true},
    ];
    const differ = flaws.map(() => 0);
    let members = 0;
    for (const [k, one] of cases.entries()) {
      if (pointCount(one.points()) > 400) continue;
      const {points, params, result, added, model} = await grow(one, k);
      const {labels, probabilities} = model.predict(added);
      const expected = predictOracle(points, added, params, result);
      expect({labels: [...labels], probabilities: [...probabilities]}, one.name).toEqual(expected);
      members += expected.labels.filter((label) => label >= 0).length;
      for (const [f, flaw] of flaws.entries()) {
        const flawed = predictOracle(points, added, params, result, flaw);
        if (JSON.stringify(flawed) !== JSON.stringify(expected)) differ[f]++;
      }
    }
    expect(members).toBeGreaterThan(cases.length);
    for (const count of differ) expect(count).toBeGreaterThan(0);
  });

  it('follows a point into its cluster, not to the cluster at its own level', async () => {
    const coords = Float64Array.of(0, 1, 2, 3, 5, 5.1, 100, 101, 102, 103);
    const params = {minClusterSize: 3, minSamples: 2};
    const result = await algorithm.run({coords, dim: 1}, params);
    expect(createModel({coords, dim: 1}, params, result).predict([[5], [-95], [103.5]]).labels).toEqual(
      Int32Array.of(0, -1, 1),
    );
  });

  it('is the same after it was saved', async () => {
    for (const [k, one] of cases.slice(0, 40).entries()) {
      const {added, model} = await grow(one, k);
      const loaded = await loadModel(await saveModel(model));
      expect(loaded.state).toEqual(model.state);
      expect(loaded.predict(added)).toEqual(model.predict(added));
    }
  });

  it.for([
    ['haversine', {metric: 'haversine', angles: 'degrees', epsUnit: 'km'}],
    ['cosine', {metric: 'cosine'}],
  ] as const)('serves the metric %s', async ([, metric]) => {
    const random = seededRandom(3);
    const points = Array.from({length: 90}, (_, i) => [40 + (i % 3) * 20 + random(), 10 + random()]);
    const params = {minClusterSize: 6, allowSingleCluster: true, clusterSelectionEpsilon: 0.2, ...metric};
    const result = await hdbscan(points, params);
    const model = createModel(points, params, result);
    expect(model.predict(points)).toEqual({labels: result.labels, probabilities: result.probabilities});
    expect(await loadModel(await saveModel(model))).toBeInstanceOf(HdbscanModel);
    expect(() => model.predict([[1, 2, 3]])).toThrow('dim = 3; expected 2');
  });

  it('names what does not fit', async () => {
    const points = [[0], [1], [2], [9]];
    const params = {minClusterSize: 2, minSamples: 1};
    const result = await hdbscan(points, params);
    expect(() => createModel([[0]], params, result)).toThrow('labels.length = 4; expected 1');
    expect(() => createModel(points, {...params, metric: 'manhattan'}, result)).toThrow(
      'euclidean, haversine or cosine for hdbscan',
    );
    expect(() => createModel(points, {...params, minSample: 3} as never, result)).toThrow('minSample');
  });
});
