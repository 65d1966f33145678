import {expect, it} from 'vitest';
import {clusterPlaces} from '../src/explore/clusterPlaces.ts';

it('puts the number of a cluster on one of its points, the largest cluster first', () => {
  const coords = Float32Array.of(9, 9, 0, 0, 2, 0, 1.4, 0.1, 50, 50);
  expect(clusterPlaces(coords, Int32Array.of(0, 1, 1, 1, -1), 2)).toEqual([
    {label: 1, size: 3, x: expect.closeTo(1.4), y: expect.closeTo(0.1)},
    {label: 0, size: 1, x: 9, y: 9},
  ]);
});
