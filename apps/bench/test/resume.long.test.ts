import {existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {measuredCells, resultFileSchema, type MeasuredCell} from '@epsball/benchmarks';
import {afterAll, describe, expect, it, vi} from 'vitest';
import {leftOutLine, wrapLine} from '../src/run/lines.ts';
import {onlyFilter} from '../src/run/only.ts';
import {BenchProgress} from '../src/run/progress.ts';
import {measuredCell, withoutTime} from './reportFixture.ts';
import {runEpsball} from './runEpsball.ts';

const folder = mkdtempSync(join(tmpdir(), 'epsball-resume-'));
afterAll(() => rmSync(folder, {recursive: true}));

/** Six sets of 1500 points. Equal sizes, because a busy machine leaves out cells that are to take far longer. */
const RUN = ['bench', 'gdbscan-hybrid-pictures', '--only', 'sequential', '--out'];

/** Why a busy machine leaves a cell out. */
const TIME = /of this suite are used up$|^expected to take more than /;

/** The measured cells of the result, which has all six once. */
function measuredIn(out: string): MeasuredCell[] {
  const files = globSync(join(out, 'results/*.json'));
  expect(files).toHaveLength(1);
  const result = resultFileSchema.parse(JSON.parse(readFileSync(files[0], 'utf8')));
  expect(new Set(result.cells.map(({dataset}) => dataset)).size).toBe(6);
  expect(result.cells).toHaveLength(6);
  const others = result.cells.filter(({status}) => status !== 'measured');
  for (const cell of others) expect(cell).toMatchObject({status: 'leftOut', reason: expect.stringMatching(TIME)});
  return measuredCells(result);
}

/** The cells of a journal, in the order in which they ended. */
function journalCells(out: string): {readonly wall: {readonly allMs: readonly number[]}}[] {
  const lines = readFileSync(join(out, 'results/unfinished.ndjson'), 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line)).flatMap((line) => (line.line === 'cell' ? [line.cell] : []));
}

describe('epsball bench --resume', () => {
  it('measures nothing twice after kill -9, and writes one result and one report', async () => {
    const out = join(folder, 'killed');
    await runEpsball([...RUN, out], {
      whenStarted: (bench) => {
        let text = '';
        bench.stdout?.on('data', (chunk: string) => {
          text += chunk;
          if (text.split('; verified').length > 2) bench.kill('SIGKILL');
        });
      },
    });
    const before = journalCells(out);
    expect(before.length).toBeGreaterThanOrEqual(2);
    const {code, stdout} = await runEpsball(['bench', '--resume', '--out', out]);
    expect(code).toBe(0);
    expect(stdout).toContain('going on with 1 suites');
    const cells = measuredIn(out);
    // The very runs that the first process measured.
    for (const [k, {wall}] of before.entries()) expect(cells[k].wall?.allMs).toEqual(wall.allMs);
    expect(existsSync(join(out, 'results/unfinished.ndjson'))).toBe(false);
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('id="gdbscan-hybrid-pictures"');
  });

  it('reports what was measured on Ctrl-C, goes on, and keeps results of earlier suites in the report', async () => {
    const out = join(folder, 'interrupted');
    const other = await runEpsball(['bench', 'tweets', '--only', 'sequential', 'n=20000', '--out', out]);
    expect(other.code).toBe(0);
    const stopped = await runEpsball([...RUN, out], {
      whenStarted: (bench) => {
        bench.stdout?.on('data', (chunk: string) => {
          if (chunk.includes('; verified')) bench.kill('SIGINT');
        });
      },
    });
    expect(stopped.code).toBe(130);
    expect(stopped.stdout).toContain('the report has what was measured; --resume goes on');
    const partial = readFileSync(join(out, 'report.html'), 'utf8');
    for (const id of ['tweets', 'gdbscan-hybrid-pictures'])
      expect(partial).toContain(`<details class="suite" id="${id}">`);
    const resumed = await runEpsball(['bench', '--resume', '--out', out]);
    expect(resumed.code).toBe(0);
    expect(globSync(join(out, 'results/*.json'))).toHaveLength(2);
  });

  it('runs suites in the order of their names, and writes no report with --no-report', async () => {
    const out = join(folder, 'ordered');
    const only = ['--only', 'sequential', 'moons', 'milanesi', 'n=5000', 'n=1500'];
    const names = ['gdbscan-hybrid-pictures', 'milanesi'];
    const {code, stdout} = await runEpsball(['bench', ...names, ...only, '--no-report', '--out', out]);
    expect(code).toBe(0);
    const places = names.map((name) => stdout.indexOf(`\n${name}: `));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(globSync(join(out, 'results/*.json'))).toHaveLength(2);
    expect(globSync(join(out, '{report.*,results/*.png}'))).toEqual([]);
  });

  it('refuses the run of another commit, and begins a new one where none is unfinished', async () => {
    const out = join(folder, 'killed');
    const fresh = await runEpsball([...RUN.slice(0, 4), '--resume', '--out', out]);
    expect(fresh.stdout).toContain('no unfinished run: a new one begins');
    const header = {
      suites: ['milanesi'],
      profile: 'quick',
      adapter: 'auto',
      only: [],
      processes: 1,
      commit: 'another',
      machine: 'another',
    };
    writeFileSync(join(out, 'results/unfinished.ndjson'), `${JSON.stringify({line: 'run', header})}\n`);
    const refused = await runEpsball(['bench', '--resume', '--out', out]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('expected another, as the unfinished run');
  });

  it('refuses --only that selects nothing', async () => {
    const {code, stderr} = await runEpsball(['bench', 'milanesi', '--only', 'nothing', '--out', join(folder, 'none')]);
    expect(code).toBe(2);
    expect(stderr).toContain('--only = "nothing"; expected some of ');
    expect(stderr).toContain('grid-bfs');
  });
});

describe('onlyFilter', () => {
  const facts = (row: string, backend: string, n: number): Parameters<ReturnType<typeof onlyFilter>>[0] => ({
    names: [row, `${row}/${backend}`, 'milanesi'],
    backend,
    n,
  });

  it('takes alternatives of each kind, and all kinds together', () => {
    const only = onlyFilter(['dense-grid', 'pds', 'gpu', 'workers', '200k', 'n=1000']);
    expect(only(facts('dense-grid', 'gpu', 200_000))).toBe(true);
    expect(only(facts('pds', 'workers', 1000))).toBe(true);
    expect(only(facts('pds', 'sequential', 1000))).toBe(false);
    expect(only(facts('dclust', 'gpu', 1000))).toBe(false);
    expect(only(facts('pds', 'workers', 5000))).toBe(false);
    expect(onlyFilter(['dclust/gpu'])(facts('dclust', 'gpu', 7))).toBe(true);
  });
});

describe('the lines of a run', () => {
  it('show bar, cells, time that has passed, time left and what runs', () => {
    vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'performance']});
    const written: string[] = [];
    const stream = {isTTY: true, columns: 100, write: (text: string) => written.push(text.slice(5)) > 0};
    const progress = new BenchProgress(40, 3725, stream as unknown as NodeJS.WriteStream);
    // Cells of an earlier run say nothing of the rate.
    for (let k = 0; k < 4; k++) progress.finish(false);
    progress.start('dclust');
    vi.advanceTimersByTime(40_000);
    for (let k = 0; k < 12; k++) progress.finish(true);
    const bar = `${'█'.repeat(8)}${'░'.repeat(16)}`;
    progress.writeAbove(() => written.push('a line'));
    expect(written.slice(-2)).toEqual(['a line', `cells     ${bar}  33 %  16/40  dclust  40 s, 1:20 left`]);
    // The run ends at 1:02:05.
    const other = new BenchProgress(2, 3725, stream as unknown as NodeJS.WriteStream);
    other.start('pds');
    vi.advanceTimersByTime(2_000_000);
    other.finish(true);
    expect(written.at(-1)).toBe(`cells     ${'█'.repeat(12)}${'░'.repeat(12)}  50 %  1/2  pds  33:20, 28:45 left`);
    progress.end();
    other.end();
    vi.useRealTimers();
  });

  it('fold the cells that were left out into one', () => {
    const cell = measuredCell(1, {n: 1000, row: 'pds', backend: 'sequential'});
    const left = (reason: string): ReturnType<typeof withoutTime> => withoutTime(cell, 'leftOut', reason);
    expect(leftOutLine([left('a'), left('b'), left('a'), cell])).toBe('left out: 2 cells, a; 1 cell, b');
    expect(leftOutLine([cell])).toBeNull();
  });

  it('break between words, at 80 columns', () => {
    const line = `  ${'word '.repeat(40)}`;
    const lines = wrapLine(line, 80).split('\n');
    expect(Math.max(...lines.map(({length}) => length))).toBeLessThanOrEqual(80);
    expect(
      lines
        .join(' ')
        .split(/\s+/)
        .filter((word) => word !== ''),
    ).toEqual(Array(40).fill('word'));
    expect(lines[0].startsWith('  word')).toBe(true);
  });

  it('keep a number and its unit together, at every width', () => {
    const line =
      '  pds/workers ×2 on milanesi, 1,000 × 2, eps 0.03: 84.1 ms ±35.2 %, 0.165× as fast as sequential; 2 min';
    for (let width = 20; width < 120; width++) {
      const lines = wrapLine(line, width).split('\n');
      expect(lines.map((text) => text.trim()).join(' ')).toBe(line.trim());
      for (const text of lines) expect(text).not.toMatch(/^\s*(?:ms|%|min|× 2)|\d$| ×$/);
    }
  });
});
