import {logInterval, type Cell, type MeasuredCell, type ResultFile} from '@epsball/benchmarks';
import {copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {compareResults, failsAbove, type CellChange} from '../src/report/compare/compareResults.ts';
import {comparisonMarkdown} from '../src/report/compare/comparisonText.ts';
import {measuredCell, resultFile, withoutTime} from './reportFixture.ts';
import {runEpsball} from './runEpsball.ts';

const SIZES = [1000, 2000, 3000];

/** A cell of the GPU at n points, timed in processes with these medians. */
function timed(n: number, processMs: number[], changes: Partial<MeasuredCell> = {}): MeasuredCell {
  const [ms] = processMs;
  const wall = {allMs: [...processMs], medianMs: ms, minMs: ms, spread: 0.01, processMs};
  return measuredCell(ms, {n, row: 'grid-bfs', backend: 'gpu', wall, ...changes});
}

function compared(ours: readonly Cell[], base: readonly Cell[]): readonly CellChange[] {
  return compareResults([resultFile([...ours])], [resultFile([...base])]).changes;
}

const BASE = SIZES.map((n) => timed(n, [10, 10.1, 10.2]));

describe('compareResults', () => {
  it('names a cell that is three times slower first, with 3.0 and its interval', () => {
    const changes = compared([timed(1000, [10.1, 10, 10.2]), timed(2000, [30, 30.3, 30.6]), BASE[2]], BASE);
    expect(changes.map(({kind}) => kind)).toEqual(['slower', 'same', 'same']);
    const [{name, ratio}] = changes;
    expect(name).toBe('milanesi: grid-bfs/gpu on milanesi, 2,000 × 2, eps 0.03, minPts 8');
    expect(ratio?.value).toBeCloseTo(3, 6);
    expect(ratio?.low).toBeGreaterThan(2.5);
    expect(ratio?.high).toBeLessThan(3.6);
    expect(changes.map((change) => failsAbove(change, 0.1))).toEqual([true, false, false]);
  });

  it('puts our time over that of the baseline', () => {
    const [{kind, ratio}] = compared([timed(1000, [5, 5.05, 5.1])], [BASE[0]]);
    expect([kind, ratio?.value.toFixed(2)]).toEqual(['faster', '0.50']);
  });

  it('finds failed, wrong and missing cells, and fails for them', () => {
    const kindOf = (ours: readonly Cell[]): string => {
      const [change] = compared(ours, [BASE[0]]);
      expect(failsAbove(change, 0.1)).toBe(true);
      return change.kind;
    };
    expect(kindOf([withoutTime(BASE[0], 'failed', 'lost')])).toBe('failed');
    expect(kindOf([])).toBe('missing');
    expect(kindOf([withoutTime(BASE[0], 'leftOut', 'no time')])).toBe('missing');
    expect(kindOf([timed(1000, [10], {labels: 'other'})])).toBe('wrong');
    for (const status of ['leftOut', 'failed'] as const) {
      expect(compared([withoutTime(BASE[0], status, 'a reason')], [BASE[0]])[0].reason).toBe('a reason');
    }
  });

  it('takes results of a suite for processes of its cells, and judges none of fewer than three', () => {
    const once = (ms: number): ResultFile => resultFile([measuredCell(ms, {n: 1000, row: 'grid-bfs', backend: 'gpu'})]);
    const {changes} = compareResults([once(30), once(30.5), once(29.5)], [once(10), once(10.2), once(9.9)]);
    expect(changes[0].kind).toBe('slower');
    // A fifth of the time on the same commit was load, not speed.
    const single = compareResults([once(2)], [once(10)]);
    expect([single.changes[0].kind, single.changes[0].ratio?.value.toFixed(2)]).toEqual(['unjudged', '0.20']);
    expect(failsAbove(compareResults([once(50)], [once(10)]).changes[0], 0.1)).toBe(false);
  });

  it('compares nothing across machines and profiles', () => {
    const {changes, unmatched} = compareResults([resultFile([...BASE])], [resultFile([...BASE], {profile: 'quick'})]);
    expect(changes).toEqual([]);
    expect(unmatched).toHaveLength(1);
  });

  it('holds for nineteen of twenty comparisons without a change, all cells together', () => {
    // A seeded generator: the test must not fail once in a hundred runs.
    let seed = 1;
    const uniform = (): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    const noise = (): number => Math.exp(0.05 * (uniform() + uniform() + uniform() + uniform() - 2));
    let wrong = 0;
    for (let trial = 0; trial < 200; trial++) {
      const intervals = Array.from({length: 20}, () =>
        logInterval(
          [1, -1].map((weight) => ({weight, assumed: 0.1, processMs: [noise(), noise(), noise()]})),
          20,
        ),
      );
      if (intervals.some(({low, high}) => low > 0 || high < 0)) wrong++;
    }
    expect(wrong).toBeLessThanOrEqual(10);
  });
});

describe('comparisonMarkdown', () => {
  it('lists what changed, and counts the rest', () => {
    const comparison = compareResults(
      [resultFile([timed(1000, [30, 30.3, 30.6]), BASE[1], BASE[2]])],
      [resultFile([...BASE])],
    );
    const markdown = comparisonMarkdown(comparison);
    expect(markdown).toContain('**Benchmarks: 1 slower, 2 the same**');
    expect(markdown.match(/^\| slower \|.*3\\?\.00×/gm)).toHaveLength(1);
  });
});

describe('epsball report --compare', () => {
  const folder = mkdtempSync(join(tmpdir(), 'epsball-compare-'));
  const write = (name: string, cells: Cell[]): string => {
    writeFileSync(join(folder, name), JSON.stringify(resultFile(cells)));
    return join(folder, name);
  };
  const report = (...args: string[]): ReturnType<typeof runEpsball> =>
    runEpsball(['report', ...args, '--out', join(folder, 'out')]);

  it('exits with 1 where a cell is slower, and with 0 where none is', async () => {
    const base = write('base.json', BASE);
    const slow = write('slow.json', [timed(1000, [30, 30.3, 30.6]), BASE[1], BASE[2]]);
    const regressed = await report(slow, '--compare', base, '--fail-above', '10%');
    expect(regressed.code).toBe(1);
    expect(regressed.stdout).toMatch(/^slower: 3\.00× \[2\.\d+, 3\.\d+\] the time, milanesi: grid-bfs\/gpu/m);
    expect(regressed.stderr).toContain('regressions = 1; expected 0');
    const html = readFileSync(join(folder, 'out/report.html'), 'utf8');
    expect(html.indexOf('id="comparison"')).toBeLessThan(html.indexOf('id="claims"'));
    expect(readFileSync(join(folder, 'out/comparison.md'), 'utf8')).toContain('1 slower');
    const same = await report(base, '--compare', base);
    expect([same.code, same.stdout.includes('compared: 3 the same')]).toEqual([0, true]);
    const wide = await report(slow, '--compare', base, '--fail-above', '250%');
    expect(wide.code).toBe(0);
  });

  it('finds the committed baseline of the same machine, and says so and exits with 2 where there is none', async () => {
    const committed = new URL('../../../benchmarks/baselines/milanesi-nvidia-h200.json', import.meta.url);
    const copy = join(folder, 'copy.json');
    copyFileSync(committed, copy);
    const found = await report(copy, '--compare');
    const {cells, load}: ResultFile = JSON.parse(readFileSync(committed, 'utf8'));
    const count = cells.filter(({status}) => status === 'measured').length;
    expect(count).toBeGreaterThan(30);
    expect([found.code, found.stdout.includes(`compared: ${count} not judged`)]).toEqual([0, true]);
    const loads = load === null ? 'not recorded' : `${load.before} to ${load.after}`;
    expect(found.stdout).toContain(`load ${loads}; baseline: ${loads}`);
    const none = await report(write('other.json', BASE), '--compare');
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('expected a suite, profile and machine with a committed baseline, or files');
    rmSync(folder, {recursive: true});
  });

  it('refuses --fail-above without --compare, and what is no percentage', async () => {
    const file = new URL('../../../benchmarks/baselines/milanesi-nvidia-h200.json', import.meta.url).pathname;
    expect((await runEpsball(['report', file, '--fail-above', '10%'])).code).toBe(2);
    expect((await runEpsball(['report', file, '--compare', file, '--fail-above', 'much'])).code).toBe(2);
  });
});
