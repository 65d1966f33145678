import {DynamicOracle, seededRandom, type DynamicBatch} from '@epsball/conformance';
import {describe, expect, it, vi} from 'vitest';
import {Components} from '../src/components.ts';
import {createDynamicDbscan} from '../src/index.ts';
import {applyToBoth} from './follow.ts';

const MIN_PTS = 4;

/** The first batch, and batches that change a large share of the points: each counts all neighbours again. */
function follow(dim: number, hasWeights: boolean, far = 0): void {
  const random = seededRandom(dim);
  const width = Math.ceil(250 ** (1 / dim));
  const place = (): number[] => Array.from({length: dim}, () => Math.floor(random() * width) / 1.25);
  const oracle = new DynamicOracle(dim, {eps: 1, minPts: MIN_PTS});
  const dynamic = createDynamicDbscan({eps: 1, minPts: MIN_PTS, dim, sampleWeight: hasWeights});
  let nextId = 0;
  const fresh = (count: number): DynamicBatch['insert'] =>
    Array.from({length: count}, () => ({
      id: nextId++,
      at: place(),
      ...(hasWeights ? {weight: random() + 0.5} : {}),
    }));
  const apply = (batch: DynamicBatch): void => applyToBoth(dynamic, oracle, dim, batch, `${dim}-D`);
  const first = fresh(300);
  apply({remove: [], move: [], insert: [...first, {...first[0], id: nextId++, at: place().map(() => far)}]});
  for (let round = 0; round < 3; round++) {
    const ids = oracle.ids.filter(() => random() < 0.6);
    const moved = ids.slice(0, 80).map((id) => ({id, at: place()}));
    apply({remove: ids.slice(80), move: moved, insert: fresh(200)});
  }
}

describe('large batches', () => {
  it.for([1, 2, 3, 4])('give the labels, ids and events of clusterings from nothing in %s-D', (dim) => {
    follow(dim, false);
    follow(dim, true);
  });

  it('are put in order although a point is far away', () => {
    for (const dim of [1, 2, 3, 4]) follow(dim, false, 2 ** 38);
  });

  it('visit components seldom, however many clusters give equal parts to two', () => {
    const dynamic = createDynamicDbscan({eps: 1, minPts: 2, dim: 1});
    // Pairs 10 apart; then one point of each in a row, the other one in another.
    const xs = Float64Array.from({length: 600}, (_, k) => 5 * k - 4 * (k % 2));
    const ids = dynamic.insert({coords: xs, dim: 1});
    dynamic.changes();
    const visit = vi.spyOn(Components.prototype, 'visit');
    dynamic.move(ids, {coords: xs.map((_, k) => (k >> 1) + 1000 * (k & 1)), dim: 1});
    expect(visit.mock.calls.length).toBeLessThan(300);
    visit.mockRestore();
    expect(dynamic.changes().map(({kind}) => kind)).toEqual([...Array<string>(299).fill('merged'), 'split', 'grown']);
  });
});
