import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, describe, expect, it} from 'vitest';
import {comparisonPage} from '../src/userFile/writeComparison.ts';
import {runEpsball} from './runEpsball.ts';

const folder = mkdtempSync(join(tmpdir(), 'epsball-compare-file-'));
afterAll(() => rmSync(folder, {recursive: true}));

describe('epsball compare', () => {
  it('runs variants on a file, compares their labels and writes one page', async () => {
    const input = join(folder, 'points.csv');
    const rows = Array.from({length: 60}, (_, k) => `${(k % 3) * 10 + (k % 7) / 10},${(k % 3) * 10 + (k % 5) / 10}`);
    writeFileSync(input, `x,y\n${rows.join('\n')}\n`);
    const {code, stdout} = await runEpsball([
      'compare',
      input,
      '--eps',
      '1',
      '--min-pts',
      '4',
      '--only',
      'sequential',
      '--out',
      folder,
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^sequential\/sequential .* 3 clusters {2}labels same$/m);
    expect(stdout).toMatch(/^grid-bfs\/sequential .* 3 clusters {2}labels same$/m);
    const page = readFileSync(join(folder, 'compare.html'), 'utf8');
    expect(page).toMatch(/All \d+ gave the same labels, byte for byte\./);
    expect(page).not.toMatch(/(?:src|href)="(?!#|data:)/);
  });

  it('refuses a missing file, a bad eps and --only that selects nothing', async () => {
    const missing = await runEpsball(['compare', join(folder, 'none.csv'), '--eps', '1', '--min-pts', '4']);
    expect(missing.code).toBe(2);
    const bad = await runEpsball(['compare', join(folder, 'points.csv'), '--eps', '-1', '--min-pts', '4']);
    expect(bad.code).toBe(2);
    const args = ['--eps', '1', '--min-pts', '4', '--only', 'nothing', '--out', folder];
    const none = await runEpsball(['compare', join(folder, 'points.csv'), ...args]);
    expect(none.code).toBe(2);
  });
});

describe('the page', () => {
  it('names variants whose labels differ, and why others failed', () => {
    const run = {row: 'pds', clusters: 1, noise: 0};
    const page = comparisonPage({
      input: '<file>',
      n: 10,
      dim: 2,
      eps: 1,
      minPts: 3,
      machine: 'Test',
      runs: [
        {...run, name: 'a/gpu', outcome: 'same', reason: '', ms: 1},
        {...run, name: 'b/gpu', outcome: 'differs', reason: '', ms: 20},
        {...run, name: 'c/gpu', outcome: 'failed', reason: 'lost', ms: null},
      ],
    });
    expect(page).toContain('Other labels: b/gpu.');
    expect(page).toContain('failed: lost');
    expect(page).toContain('&lt;file&gt;');
    expect(page).toContain('Fastest: a/gpu with 1.00 ms, 20.0× as fast as b/gpu.');
  });
});
