import {describe, expect, it} from 'vitest';
import {baselineTime} from '../src/report/dbscan/baselineTime.ts';
import {measuredCell, resultFile} from './reportFixture.ts';

const SEQUENTIAL = {row: 'sequential', backend: 'sequential'} as const;
const OWN = resultFile([measuredCell(1, {row: 'dclust', backend: 'gpu', n: 4000})]);
const WORKLOAD = measuredCell(1, {...SEQUENTIAL, n: 4000});

function reference(startedAt: string, ...cells: {ms: number; n: number}[]) {
  return resultFile(
    cells.map(({ms, n}) => measuredCell(ms, {...SEQUENTIAL, n})),
    {startedAt},
  );
}

describe('baselineTime', () => {
  it('is that of the same run, if it has one', () => {
    const own = resultFile([measuredCell(5, {...SEQUENTIAL, n: 4000})]);
    const references = [reference('2026-11-25T00:00:00.000Z', {ms: 9, n: 4000})];
    expect(baselineTime(own, references, WORKLOAD, SEQUENTIAL)).toEqual({ms: 5, mark: ''});
  });

  it('is else that of the latest reference', () => {
    const older = reference('2026-11-21T00:00:00.000Z', {ms: 9, n: 4000});
    const later = reference('2026-11-26T00:00:00.000Z', {ms: 7, n: 4000});
    for (const references of [
      [older, later],
      [later, older],
    ]) {
      expect(baselineTime(OWN, references, WORKLOAD, SEQUENTIAL)).toEqual({ms: 7, mark: '‡'});
    }
  });

  it('is extrapolated from the latest time of each size', () => {
    const older = reference('2026-11-21T00:00:00.000Z', {ms: 100, n: 1000}, {ms: 100, n: 2000});
    const later = reference('2026-11-26T00:00:00.000Z', {ms: 1, n: 1000}, {ms: 4, n: 2000});
    expect(baselineTime(OWN, [older, later], WORKLOAD, SEQUENTIAL)?.ms).toBeCloseTo(16, 9);
  });

  it('is else extrapolated from fewer points, and null without any', () => {
    const references = [reference('2026-11-25T00:00:00.000Z', {ms: 1, n: 1000}, {ms: 4, n: 2000})];
    const time = baselineTime(OWN, references, WORKLOAD, SEQUENTIAL);
    expect(time?.mark).toBe('†');
    expect(time?.ms).toBeCloseTo(16, 9);
    expect(baselineTime(OWN, [], WORKLOAD, SEQUENTIAL)).toBeNull();
  });
});
