import type {HdbscanCell, HdbscanKey} from '@epsball/benchmarks';
import {describe, expect, it} from 'vitest';
import {renderCsv} from '../src/report/csv.ts';
import {hdbscanView} from '../src/report/hdbscan/view.ts';
import {buildReport} from '../src/report/model.ts';
import {resultFile} from './reportFixture.ts';

const AT = {dataset: 'tweets:seed=1', n: 20_000};

function measured(method: HdbscanKey['method'], ms: number): HdbscanCell {
  return {
    ...AT,
    method,
    status: 'measured',
    wall: {allMs: [ms, ms], medianMs: ms, minMs: ms, spread: 0.02},
    device: null,
    clusters: method === 'R' ? null : 7,
    verified: 'equal',
    version: method === 'R' ? '1.1.11' : null,
  };
}

const CELLS: readonly HdbscanCell[] = [
  measured('sequential', 50),
  measured('workers', 30),
  {...AT, method: 'gpu', status: 'leftOut', reason: 'no adapter'},
  measured('R', 12_000),
];

describe('the report of HDBSCAN*', () => {
  const result = {...resultFile([]), kind: 'hdbscan' as const, suite: 'hdbscan', cells: CELLS};
  const report = buildReport([{folder: '.', result}], true, '2026-11-20T16:00:00.000Z');
  const [section] = report.sections;
  if (section.kind !== 'hdbscan') throw new Error(`kind = "${section.kind}"; expected hdbscan`);
  const view = hdbscanView(section);

  it('shows every backend beside R', () => {
    const [{table}] = view.tables;
    const [row] = table.rows.map((cells) => cells.map(({text}) => text));
    expect(row).toEqual(['tweets:seed=1', '20,000', '50.0 ms', '30.0 ms', 'left out', '12.0 s', '240×', '7']);
  });

  it('says what was compared, and what is missing', () => {
    expect(view.findings[0]).toBe('All 3 measured runs were compared before their times counted.');
    expect(view.findings[1]).toContain('240× as fast as R');
    expect(view.gaps).toEqual(['Left out: no adapter (gpu on tweets at 20,000)']);
  });

  it('has a CSV row for each cell', () => {
    const rows = renderCsv(report).trim().split('\n');
    expect(rows.filter((row) => row.includes('tweets:seed=1')).length).toBe(4);
  });
});
