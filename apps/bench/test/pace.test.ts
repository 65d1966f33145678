import {describe, expect, it} from 'vitest';
import {Pace} from '../src/suite/dbscan/pace.ts';
import {measuredCell} from './reportFixture.ts';

const RULE = {factor: 20, fromPoints: 1000};
const SLOW = {row: 'dclust', backend: 'gpu'};
const FAST = {row: 'dense-grid', backend: 'gpu'};

function paceOf(rule: typeof RULE | undefined, n: number, slowMs: number): Pace {
  const pace = new Pace(rule);
  pace.add(0, measuredCell(1, {...FAST, n}));
  pace.add(0, measuredCell(slowMs, {...SLOW, n}));
  return pace;
}

describe('the rule on the slowest', () => {
  it('names where a subject took more than its factor of the fastest, for later workloads only', () => {
    const pace = paceOf(RULE, 1000, 21);
    expect(pace.slowAt(1, 'dclust/gpu')).toEqual({n: 1000, factor: 20});
    expect(pace.slowAt(0, 'dclust/gpu')).toBeUndefined();
    expect(pace.slowAt(1, 'dense-grid/gpu')).toBeUndefined();
    expect(pace.slowAt(1, 'pds/sequential')).toBeUndefined();
  });

  it('names the smallest workload of several', () => {
    const pace = paceOf(RULE, 2000, 50);
    pace.add(1, measuredCell(1, {...FAST, n: 1500}));
    pace.add(1, measuredCell(30, {...SLOW, n: 1500}));
    expect(pace.slowAt(2, 'dclust/gpu')).toEqual({n: 1500, factor: 20});
  });

  it('names nothing on fewer points than the rule is for, within the factor, and without a rule', () => {
    expect(paceOf(RULE, 999, 50).slowAt(1, 'dclust/gpu')).toBeUndefined();
    expect(paceOf(RULE, 1000, 20).slowAt(1, 'dclust/gpu')).toBeUndefined();
    expect(paceOf(undefined, 1000, 50).slowAt(1, 'dclust/gpu')).toBeUndefined();
  });
});
