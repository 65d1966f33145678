import type {DbscanCell, DbscanResultFile, MeasuredDbscanCell} from '@epsball/benchmarks';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {compareRuns, isRegression} from '../src/report/compareRuns.ts';
import {measuredCell, resultFile} from './reportFixture.ts';
import {runEpsball} from './runEpsball.ts';

const GPU = {n: 1000, row: 'grid-bfs', backend: 'gpu'};

function timed(ms: number, changes: Partial<MeasuredDbscanCell> = {}, spread = 0.05): MeasuredDbscanCell {
  return measuredCell(ms, {...GPU, wall: {allMs: [ms], medianMs: ms, minMs: ms, spread}, ...changes});
}

function kindsOf(before: DbscanCell[], after: DbscanCell[], changes: Partial<DbscanResultFile> = {}): string[] {
  return compareRuns([resultFile(before), resultFile(after, changes)]).changes.map(({kind}) => kind);
}

describe('compareRuns', () => {
  it('names a slower cell with its factor and both spreads', () => {
    const {changes, cells} = compareRuns([resultFile([timed(10)]), resultFile([timed(30)])]);
    expect(cells).toBe(1);
    expect(changes.map(({kind, text}) => [kind, text])).toEqual([
      [
        'slower',
        'milanesi: grid-bfs/gpu on milanesi:n=1000,seed=1, eps 0.03, minPts 8: 3.00× the time (spread 5.00 % before, 5.00 % now)',
      ],
    ]);
  });

  it('takes changes within a tenth plus both spreads for noise', () => {
    expect(kindsOf([timed(10)], [timed(11.9)])).toEqual([]);
    expect(kindsOf([timed(10)], [timed(12.1)])).toEqual(['slower']);
    expect(kindsOf([timed(10, {}, 0.9)], [timed(19)])).toEqual([]);
    expect(kindsOf([timed(12.1)], [timed(10)])).toEqual(['faster']);
  });

  it('finds failed, missing and wrong cells', () => {
    const {dataset, n, dim, eps, minPts, row, backend, threads, options} = timed(1);
    const key = {dataset, n, dim, eps, minPts, row, backend, threads, options};
    expect(kindsOf([timed(10)], [{...key, status: 'failed', error: 'lost'}])).toEqual(['failed']);
    expect(kindsOf([timed(10)], [])).toEqual(['missing']);
    expect(kindsOf([timed(10)], [timed(10, {labelsHash: 'other'})])).toEqual(['wrong']);
    expect(kindsOf([timed(10)], [timed(10, {datasetHash: 'other', labelsHash: 'other'})])).toEqual(['missing']);
  });

  it('puts the largest factor first, and fails only for slower, wrong and failed cells', () => {
    const [a, b, c] = [2000, 3000, 4000].map((n) => (ms: number) => timed(ms, {n, dataset: `milanesi:n=${n},seed=1`}));
    const {changes} = compareRuns([resultFile([a(10), b(10), c(10)]), resultFile([a(20), b(40), c(5)])]);
    expect(changes.map((change) => [change.kind, isRegression(change)])).toEqual([
      ['slower', true],
      ['slower', true],
      ['faster', false],
    ]);
    expect(changes[0].text).toContain('4.00×');
  });

  it('does not compare other machines or profiles', () => {
    expect(kindsOf([timed(10)], [timed(30)], {profile: 'quick'})).toEqual([]);
    const {apart} = compareRuns([resultFile([timed(10)]), resultFile([timed(30)], {adapter: null})]);
    expect(apart).toHaveLength(1);
  });
});

describe('epsball report --compare', () => {
  it('exits with 1 where a cell is slower, and with 0 where none is', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'epsball-compare-'));
    const write = (name: string, ms: number): string => {
      writeFileSync(join(folder, name), JSON.stringify(resultFile([timed(ms)])));
      return join(folder, name);
    };
    const [base, slow] = [write('base.json', 10), write('slow.json', 30)];
    const report = (...files: string[]): ReturnType<typeof runEpsball> =>
      runEpsball(['report', ...files, '--compare', '--out', join(folder, 'out')]);
    const regressed = await report(base, slow);
    expect(regressed.code).toBe(1);
    expect(regressed.stdout).toContain('slower: milanesi: grid-bfs/gpu');
    expect(regressed.stderr).toContain('regressions = 1; expected 0');
    const same = await report(base, base);
    expect([same.code, same.stdout.includes('compared: 1 cells')]).toEqual([0, true]);
    rmSync(folder, {recursive: true});
  }, 60_000);
});
