import {describe, expect, it} from 'vitest';
import {dbscan} from '@epsball/dbscan';
import {meanShift} from '@epsball/mean-shift';
import {generateDataset} from '@epsball/datasets';
import type {PointSet} from '@epsball/clustering';
import {designs} from '../src/steps/animations.ts';
import {recordMeanShift} from '../src/steps/meanShift.ts';
import {smallSets} from '../src/steps/pointSets.ts';

interface Case {
  readonly name: string;
  readonly points: PointSet;
  readonly eps: number;
  readonly minPts: number;
}

const cases: readonly Case[] = [
  ...smallSets.map((set) => ({name: set.id, points: generateDataset(set.spec), eps: set.eps, minPts: set.minPts})),
  // A border point between two clusters, pairs at exactly eps, copies of points, one point.
  {name: 'lattice', points: generateDataset('lattice:n=100'), eps: 1, minPts: 5},
  {name: 'duplicates', points: generateDataset('duplicates:n=200'), eps: 0.05, minPts: 4},
  {name: 'uniform', points: generateDataset('uniform:n=200'), eps: 0.06, minPts: 4},
  {name: 'all noise', points: generateDataset('uniform:n=60'), eps: 0.001, minPts: 3},
  {name: 'one cluster', points: generateDataset('uniform:n=60'), eps: 2, minPts: 3},
  {name: 'minPts 1', points: generateDataset('uniform:n=60'), eps: 0.05, minPts: 1},
  {name: 'one point', points: {coords: Float32Array.of(3, 4), dim: 2}, eps: 1, minPts: 2},
];

describe.for(designs.filter(({isMeanShift}) => !isMeanShift))('the recording of $id', (design) => {
  it.for(cases)('ends with the labels of the package: $name', async ({points, eps, minPts}) => {
    const {labels} = await dbscan(points, {eps, minPts, algorithm: 'sequential', backend: 'sequential'});
    const recording = design.record(points, {eps, minPts});
    expect(recording.labels).toEqual(labels);
    expect(recording.frames.at(-1)?.paint).toEqual(labels);
  });

  it('ends with the labels of the package on many point sets', async () => {
    for (let seed = 0; seed < 20; seed++) {
      const points = generateDataset(`uniform:n=${60 + 7 * seed},seed=${seed}`);
      const params = {eps: 0.05 + 0.003 * seed, minPts: 3 + (seed % 4)};
      const {labels} = await dbscan(points, {...params, algorithm: 'sequential', backend: 'sequential'});
      expect(design.record(points, params).labels, `seed ${seed}`).toEqual(labels);
    }
  });

  it('explains every step, and has some dozens on the points of the page', () => {
    for (const set of smallSets) {
      const {frames} = design.record(generateDataset(set.spec), set);
      expect(frames.every(({text}) => text.length > 10 && text.length < 260)).toBe(true);
      expect(frames.length, set.id).toBeGreaterThan(8);
      expect(frames.length, set.id).toBeLessThan(500);
    }
  });
});

describe('the recording of mean-shift', () => {
  it.for(smallSets)('ends with the modes and labels of the package: $id', async (set) => {
    const points = generateDataset(set.spec);
    const {bandwidth} = set;
    const expected = await meanShift(points, {bandwidth, maxIterations: 60, backend: 'sequential'});
    const {frames, labels} = recordMeanShift(points, bandwidth);
    expect(labels).toEqual(expected.labels);
    const climbed = frames.at(-2)?.positions ?? new Float64Array(0);
    const farthest = Math.max(...climbed.map((value, k) => Math.abs(value - expected.shifted[k])));
    expect(farthest).toBeLessThan(1e-9);
  });
});
