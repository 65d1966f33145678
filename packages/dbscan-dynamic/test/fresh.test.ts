import {dbscanOracle, seededRandom} from '@epsball/conformance';
import {metricPoints, metricRadius} from '@epsball/clustering';
import {describe, expect, it} from 'vitest';
import {createDynamicDbscan, type DynamicDbscanOptions} from '../src/index.ts';

type Place = (random: () => number, d: number) => number;

/** Inserts half at once and the rest one by one, moves some, removes some; then compares with a run from nothing. */
function churn(options: DynamicDbscanOptions, n: number, place: Place, seed: number): void {
  const random = seededRandom(seed);
  const {dim} = options;
  const dynamic = createDynamicDbscan(options);
  const points = (count: number) => ({
    coords: Float64Array.from({length: count * dim}, (_, k) => place(random, k % dim)),
    dim,
  });
  const there = new Map<number, Float64Array>();
  const keep = (ids: Float64Array, {coords}: {coords: Float64Array}): void =>
    ids.forEach((id, k) => there.set(id, coords.slice(k * dim, (k + 1) * dim)));
  const half = points(n / 2);
  keep(dynamic.insert(half), half);
  for (let k = 0; k < n / 2; k++) {
    const one = points(1);
    keep(dynamic.insert(one), one);
  }
  const movedIds = Float64Array.from({length: n / 4}, (_, k) => 3 * k);
  const moved = points(n / 4);
  dynamic.move(movedIds, moved);
  keep(movedIds, moved);
  const gone = [...there.keys()].filter((id) => id % 5 === 1);
  for (const id of gone) dynamic.remove([id]);
  for (const id of gone) there.delete(id);

  const ids = [...there.keys()].sort((a, b) => a - b);
  const coords = Float64Array.from(ids.flatMap((id) => [...(there.get(id) ?? [])]));
  const {eps, minPts} = options;
  const inMetric = metricPoints({coords, dim}, options);
  const radius = metricRadius(eps, options);
  const {ids: labelled, labels} = dynamic.canonicalLabels();
  expect([...labelled]).toEqual(ids);
  expect(labels).toEqual(dbscanOracle(inMetric, {minPts, eps: radius.eps}).labels);
  expect(new Set(labels).size).toBeGreaterThan(1);
}

describe('labels after changes', () => {
  it('equal those of dbscan for places on the earth, at the poles and the date line', () => {
    const options = {minPts: 3, dim: 2, metric: 'haversine', angles: 'degrees', epsUnit: 'km'} as const;
    const anywhere: Place = (random, d) => (random() - 0.5) * (d === 0 ? 180 : 360);
    const atPole: Place = (random, d) => (d === 0 ? 89 + random() : 360 * random());
    const atDateLine: Place = (random, d) => (d === 0 ? 4 * random() : 178 + 4 * random());
    churn({...options, eps: 900}, 400, anywhere, 1);
    churn({...options, eps: 5}, 400, atPole, 2);
    churn({...options, eps: 12}, 400, atDateLine, 3);
  });

  it('equal those of dbscan far from the origin, where cells are rounded', () => {
    for (const dim of [1, 2, 3, 4]) {
      for (const side of [2 ** 38, -1.5 * 2 ** 38]) {
        churn(
          {eps: 1, minPts: 3, dim},
          200,
          (random) => side + Math.floor(random() * [300, 30, 14, 9][dim - 1]) / 1.25,
          dim,
        );
      }
    }
  });

  it('equal those of dbscan for tiny and huge eps', () => {
    for (const eps of [2 ** -400, 2 ** 400]) {
      churn({eps, minPts: 3, dim: 2}, 200, (random) => Math.floor(random() * 12) * eps, 5);
    }
  });

  it('equal those of dbscan for crowds in few cells', () => {
    churn({eps: 1, minPts: 40, dim: 2}, 600, (random) => Math.floor(random() * 4) * 1.4 + random() * 0.5, 6);
  });
});
