import {describe, expect, it} from 'vitest';
import {buildReport} from '../src/report/model.ts';
import {threadTable} from '../src/report/dbscan/threadTable.ts';
import {dbscanSectionOf, measuredCell, resultFile} from './reportFixture.ts';

function tableOf(cells: ReturnType<typeof measuredCell>[]): string[][] | undefined {
  const section = dbscanSectionOf(
    buildReport([{folder: '.', result: resultFile(cells)}], false, '2026-11-20T16:00:00.000Z'),
  );
  return threadTable(section)?.rows.map((row) => row.map(({text}) => text));
}

describe('threadTable', () => {
  it('shows both stages, with the threads in ascending order', () => {
    const local = {localMs: 7, localMsOfThread10: 3, localMsOfThread2: 6};
    const merge = {mergeMs: 2, mergeMsOfThread10: 0.5, mergeMsOfThread2: 1};
    const counters = {crossPairs: 1200, ...local, ...merge, threads: 2};
    expect(tableOf([measuredCell(9, {n: 1000, row: 'pds', backend: 'workers', threads: 2, counters})])).toEqual([
      ['1,000 points, pds workers ×2', '1,200', '7.00 ms', '2.00 ms', '6.00 ms, 3.00 ms', '1.00 ms, 500 µs'],
    ]);
  });

  it('is absent if no cell has threads', () => {
    expect(tableOf([measuredCell(9, {n: 1000, row: 'sequential', backend: 'sequential'})])).toBeUndefined();
  });
});
