import {dbscanOracle} from '@epsball/conformance';
import {datasets} from '@epsball/datasets';
import {afterAll, expect, it} from 'vitest';
import {createDenseGridSequential} from '../src/index.ts';
import {createDenseGridWorkers} from '../src/workers/index.ts';

const PARAMS = {eps: 1, minPts: 5};
const ADVERSARIES = datasets.filter(({id}) => id.startsWith('adversary-'));

const sequential = createDenseGridSequential();
const workers = createDenseGridWorkers({threads: 3, pointsPerChunk: 50});
afterAll(() => {
  workers.destroy();
});

it.for(ADVERSARIES.flatMap(({id}) => [1, 2, 3, 4].map((dim) => [id, dim] as const)))(
  'returns the labels of the oracle for %s on %i axes, on one thread and on three',
  async ([id, dim]) => {
    const dataset = ADVERSARIES.find((one) => one.id === id);
    for (const precision of ['float32', 'float64'] as const) {
      const points = dataset!.generate({n: 1000, dim, seed: dim, precision});
      const {labels, clusterCount} = dbscanOracle(points, PARAMS);
      for (const algorithm of [sequential, workers]) {
        const result = await algorithm.run(points, PARAMS);
        expect(result.clusterCount).toBe(clusterCount);
        expect(Int32Array.from(result.labels)).toEqual(labels);
      }
    }
  },
);

it('joins no two crowded cells without a pair within eps, in far less than all tests', async () => {
  const dataset = ADVERSARIES.find(({id}) => id === 'adversary-two-cells');
  for (const dim of [2, 3]) {
    const points = dataset!.generate({n: 40_000, dim, seed: 1, precision: 'float32'});
    expect((await sequential.run(points, PARAMS)).clusterCount).toBe(2);
  }
});
