import {expect, it} from 'vitest';
import {PartialCount} from '../src/partialCount.ts';

it('counts items and parts of items, never back', () => {
  const reported: number[] = [];
  const count = new PartialCount(2, (done) => reported.push(done));
  count.begin(5);
  count.begin(7);
  count.reach(5, 0.25);
  count.reach(7, 0.5);
  count.end(5);
  // A message that comes late.
  count.reach(5, 0.75);
  count.end(7);
  count.begin(8);
  count.end(8);
  expect(reported).toEqual([2, 2.25, 2.75, 3.5, 4, 5]);
});

it('forgets the part of an item that has to be done again', () => {
  const reported: number[] = [];
  const count = new PartialCount(0, (done) => reported.push(done));
  count.begin(1);
  count.reach(1, 0.5);
  count.end(1, false);
  count.begin(1);
  count.end(1);
  expect(reported).toEqual([0, 0.5, 1]);
});
