import {describe, expect, it} from 'vitest';
import {seededRandom} from '@epsball/conformance';
import {describeGpu, withGpu} from '@epsball/gpu/testing';
import {createHdbscanSequential, validity} from '@epsball/hdbscan';
import {createHdbscanGpu} from '@epsball/hdbscan/gpu';
import {createHdbscanWorkers} from '@epsball/hdbscan/workers';
import {differences, wideCasesFor} from './hdbscanSets.ts';
import {validityOracle} from './oracle/validity.ts';
import {findDifference} from './oracle/validityCases.ts';

describe('hdbscan in many dimensions', () => {
  it('returns the bytes of the oracle on one thread', async () => {
    using sequential = createHdbscanSequential();
    expect(await differences((...input) => sequential.run(...input), wideCasesFor('sequential'))).toEqual([]);
  });

  it('returns the bytes of the oracle on threads', async () => {
    using workers = createHdbscanWorkers({threads: 3});
    expect(await differences((...input) => workers.run(...input), wideCasesFor('workers'))).toEqual([]);
  });

  it('scores clusters by the definition of validity', async () => {
    const random = seededRandom(1);
    for (const dim of [65, 768]) {
      const coords = Float64Array.from({length: 40 * dim}, (_, k) => random() + (k < 20 * dim ? 0 : 1));
      const labels = Array.from({length: 40}, (_, i) => (i < 20 ? 0 : 1));
      const points = {coords, dim};
      const expected = validityOracle(points, labels);
      expect(findDifference(await validity(points, labels), expected)).toBe(null);
      expect(expected.score).toBeGreaterThan(0);
    }
  });
});

describeGpu('hdbscan in many dimensions on a GPU', () => {
  const rig = withGpu(async (gpu) => ({algorithm: await createHdbscanGpu(gpu)}));

  it('returns the bytes of the oracle', async () => {
    expect(await differences((...input) => rig.algorithm.run(...input), wideCasesFor('gpu'))).toEqual([]);
  });

  it('joins more components than a list has entries, for any rank', async () => {
    using sequential = createHdbscanSequential();
    const random = seededRandom(3);
    const [dim, n] = [24, 400];
    // Clumps of 20 points: larger than the lists, and each a component of its own.
    const places = Array.from({length: (n / 20) * dim}, () => 9 * random());
    const coords = Float32Array.from({length: n * dim}, (_, k) => {
      return places[(Math.floor(k / dim / 20) % (n / 20)) * dim + (k % dim)] + random();
    });
    for (const minSamples of [1, 3, 40, 400]) {
      const params = {minClusterSize: 4, minSamples};
      const [expected, actual] = [
        await sequential.run({coords, dim}, params),
        await rig.algorithm.run({coords, dim}, params),
      ];
      expect(actual.hierarchy.coreSquared).toEqual(expected.hierarchy.coreSquared);
      expect(actual.hierarchy.treeSquared).toEqual(expected.hierarchy.treeSquared);
      expect(actual.condensedTree).toEqual(expected.condensedTree);
      expect(actual.labels).toEqual(expected.labels);
    }
  });

  it('names the first coordinate that is not finite', async () => {
    const coords = Float32Array.from({length: 20 * 40}, seededRandom(4));
    coords[405] = Infinity;
    await expect(rig.algorithm.run({coords, dim: 20})).rejects.toThrow('point 20, axis 5 = Infinity');
    coords[405] = 0;
    expect((await rig.algorithm.run({coords, dim: 20})).labels).toHaveLength(40);
  });
});
