import {expect, it} from 'vitest';
import {hdbscan} from '@epsball/hdbscan';
import {generateDataset} from '@epsball/datasets';
import type {ClusterTree} from '../src/compute/api.ts';
import {Methods} from '../src/compute/methods.ts';
import {endOfBranch, layOutTree} from '../src/explore/clusterTree.ts';

const tree: ClusterTree = {
  parent: Int32Array.of(-1, 0, 1, 1, 0),
  birth: Float64Array.of(Infinity, 8, 4, 4, 8),
  death: Float64Array.of(8, 4, 1, 2, 1),
  size: Float64Array.of(100, 60, 20, 30, 30),
  label: Int32Array.of(-1, 0, -1, -1, 1),
  clusterOf: Int32Array.of(2, 4),
};

it('places children side by side below their parent, in the colour of the selected one', () => {
  const boxes = layOutTree(tree, 400);
  expect(boxes.map(({x, width}) => [x, width])).toEqual([
    [0, 1],
    [0, 0.6],
    [0, 0.2],
    [0.2, 0.3],
    [0.6, 0.3],
  ]);
  expect(boxes.map(({label}) => label)).toEqual([-1, 0, 0, 0, 1]);
  expect(boxes[1].top).toBeCloseTo(boxes[0].bottom);
  expect(boxes[2].top).toBeCloseTo(boxes[1].bottom);
  expect(boxes[3].bottom - boxes[3].top).toBeCloseTo((boxes[2].bottom - boxes[2].top) / 2);
  for (const {top, bottom} of boxes) expect([top >= 0, bottom <= 402]).toEqual([true, true]);
});

it('finds the end of a branch', () => {
  expect([0, 1, 2, 3, 4].map((cluster) => endOfBranch(tree, cluster))).toEqual([5, 4, 3, 4, 5]);
});

it('labels each selected cluster, from one hierarchy', async () => {
  const points = generateDataset('varied:n=600');
  const methods = new Methods(async () => Promise.reject(new Error('no GPU')));
  const options = {signal: new AbortController().signal, onProgress: () => undefined};
  for (const minClusterSize of [20, 10]) {
    const request = {
      method: 'hdbscan',
      backend: 'sequential',
      minSamples: 5,
      minClusterSize,
      selection: 'eom',
    } as const;
    const found = await methods.run(points, {...request, metric: {metric: 'euclidean'}}, options);
    const expected = await hdbscan(points, {minSamples: 5, minClusterSize, backend: 'sequential'});
    expect(found.labels).toEqual(expected.labels);
    expect(found.isReselected).toBe(minClusterSize === 10);
    const labels = found.tree?.label.filter((label) => label >= 0).sort();
    expect([...(labels ?? [])]).toEqual(Array.from({length: expected.clusterCount}, (_, label) => label));
  }
});
