import {mkdtempSync, rmSync} from 'node:fs';
import {availableParallelism, tmpdir} from 'node:os';
import {join} from 'node:path';
import {
  suites,
  type MeanShiftCell,
  type MeanShiftKey,
  type MeanShiftResultFile,
  type MeanShiftSuite,
} from '@epsball/benchmarks';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {runMeanShiftSuite} from '../src/meanShift/runMeanShiftSuite.ts';
import {renderCsv} from '../src/report/csv.ts';
import {drawCharts} from '../src/report/meanShift/charts.ts';
import {findingsOf, gapsOf} from '../src/report/meanShift/findings.ts';
import type {MeanShiftSection} from '../src/report/meanShift/section.ts';
import {tablesOf} from '../src/report/meanShift/tables.ts';
import {buildReport} from '../src/report/model.ts';
import {runInChild} from '../src/suite/childProcess.ts';
import {resultFile} from './reportFixture.ts';

const SUITE = suites.find((suite): suite is MeanShiftSuite => suite.kind === 'mean-shift');
if (SUITE === undefined) throw new Error('there is no such suite');

function measured(ms: number, key: Partial<MeanShiftKey> & {method: MeanShiftKey['method']}): MeanShiftCell {
  return {
    threads: 1,
    tileWidth: key.method === 'tiled' ? 256 : null,
    n: 10_000,
    status: 'measured',
    wall: {allMs: [ms, ms], medianMs: ms, minMs: ms, spread: 0.02},
    device: key.method === 'tiled' ? {allMs: [ms / 2], medianMs: ms / 2, minMs: ms / 2, spread: 0} : null,
    iterations: 10,
    error: 1e-6,
    verified: '40 points',
    clusters: key.method.startsWith('ours') ? 5 : null,
    ...key,
  };
}

const CELLS: readonly MeanShiftCell[] = [
  measured(1000, {method: 'sequential'}),
  {method: 'sequential', threads: 1, tileWidth: null, n: 100_000, status: 'estimated', ms: 100_000, fit: 't = n²'},
  measured(600, {method: 'workers', threads: 2}),
  measured(400, {method: 'workers', threads: 4}),
  {
    method: 'workers',
    threads: 8,
    tileWidth: null,
    n: 10_000,
    status: 'leftOut',
    reason: 'the machine has 4 processors',
  },
  measured(12, {method: 'naive'}),
  measured(10, {method: 'tiled'}),
  measured(8, {method: 'tiled', tileWidth: 64}),
  {method: 'tiled', threads: 1, tileWidth: 256, n: 100_000, status: 'failed', error: 'out of luck'},
  measured(30, {method: 'ours-workers'}),
];

function result(cells: readonly MeanShiftCell[] = CELLS): MeanShiftResultFile {
  return {...resultFile([]), kind: 'mean-shift', suite: 'mean-shift', cells};
}

function report(...results: readonly MeanShiftResultFile[]): ReturnType<typeof buildReport> {
  return buildReport(
    results.map((one) => ({folder: '.', result: one})),
    true,
    '2026-11-20T16:00:00.000Z',
  );
}

function sectionOf(...results: readonly MeanShiftResultFile[]): MeanShiftSection {
  const {
    sections: [section],
  } = report(...results);
  if (section.kind !== 'mean-shift') throw new Error(`kind = "${section.kind}"; expected mean-shift`);
  return section;
}

/** The texts of the row of a table that begins with `head`. */
function rowOf(title: RegExp, head: string): string[] {
  const table = tablesOf(sectionOf(result())).find((one) => title.test(one.title))?.table;
  const row = table?.rows.find(([first]) => first.text === head);
  return (row ?? []).map(({text, note}) => (note === undefined ? text : `${text} (${note})`));
}

describe('the tables of mean shift show the document’s numbers beside ours', () => {
  it('in the global comparison, with † for estimates', () => {
    const theirs = ['49.29 s', '15.25 s', '3.24', '0.171354 s', '287.64'];
    expect(rowOf(/^Global/, '10,000')).toEqual([
      '10,000',
      '1.00 s (±1.00 %)',
      '400 ms (on 4)',
      '2.50×',
      '10.0 ms (device 5.00 ms)',
      '100×',
      ...theirs,
    ]);
    expect(rowOf(/^Global/, '100,000').slice(0, 6)).toEqual(['100,000', '† 100 s', '–', '–', 'failed', '–']);
    expect(rowOf(/^Global/, '250,000').slice(6)).toEqual(['† 27768 s', '† 8720 s', '† 3.18', '100.38 s', '† 276.61']);
  });

  it('by threads, by tiles, and by version', () => {
    expect(rowOf(/^Worker threads/, '10,000')).toEqual([
      '10,000',
      '1.00 s (±1.00 %)',
      '–',
      '600 ms (1.67×)',
      '400 ms (2.50×)',
      'left out',
      '–',
      '3.24',
    ]);
    expect(rowOf(/^TILE_WIDTH/, '64')).toEqual(['64', '8.00 ms (device 4.00 ms)', '0.171354 s']);
    expect(rowOf(/^Naive/, '10,000')).toEqual([
      '10,000',
      '12.0 ms (±1.00 %)',
      '10.0 ms (device 5.00 ms)',
      '1.20×',
      '0.191216 s',
      '0.171354 s',
      '1.12',
    ]);
    expect(rowOf(/^Sequential/, '10,000').slice(3)).toEqual(['100×', '49.29 s', '0.171354 s', '287.64']);
    expect(rowOf(/^Ours/, 'workers')).toEqual(['workers', '10,000', '30.0 ms (±1.00 %)', '–', '10', '5', '1.0e-6']);
  });
});

describe('a report of mean shift', () => {
  it('states the findings, the failures and the estimates', () => {
    const section = sectionOf(result());
    expect(findingsOf(section)).toEqual([
      'A sample of every measured run was checked in float64 over all points: all 7 were right.',
      '1 slow cells, marked †, were estimated.',
      '1 cell failed; the list below the tables says why.',
      '2 worker threads, 10,000 points: 600 ms, 1.67× as fast as the sequential version.',
      '4 worker threads, 10,000 points: 400 ms, 2.50× as fast as the sequential version.',
      'Tiling on the GPU, 10,000 points: 10.0 ms, 100× as fast as the sequential version.',
      'Tiling on the GPU, 10,000 points: 10.0 ms, 1.20× as fast as the naive version.',
    ]);
    expect(gapsOf(section)).toEqual([
      'Left out: the machine has 4 processors (workers on 8 threads at 10,000)',
      'Failed: out of luck (tiled with tiles of 256 at 100,000)',
      '† sequential: t = n²',
    ]);
  });

  it('draws speed-ups, tiles and times, also of several runs', async () => {
    const charts = await drawCharts(sectionOf(result()));
    expect(charts.map(({name}) => name)).toEqual(['threads', 'tiles', 'time']);
    expect(charts[2].svg).toContain('document: sequential');
    const [threads] = await drawCharts(sectionOf(result(), {...result(), commit: {hash: 'b', dirty: false}}));
    expect(threads.svg).toContain('10,000 points · B');
    expect(await drawCharts(sectionOf(result([])))).toEqual([]);
  });

  it('has a row per cell in the CSV', () => {
    const [head, ...lines] = renderCsv(report(result())).trimEnd().split('\r\n');
    expect(head).toContain('tile_width');
    expect(lines.length).toBe(CELLS.length);
    expect(lines.filter((line) => line.includes('t = n²')).length).toBe(1);
  });
});

describe('runMeanShiftSuite', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'epsball-mean-shift-'));
  });
  afterAll(() => rmSync(folder, {recursive: true}));

  it('measures on the host, verifies, and estimates slow cells', async () => {
    const profile = {
      ...SUITE.profiles.quick,
      sizes: [50, 90, 100_000],
      fitSizes: [],
      ourSizes: [500],
      cellSeconds: 1,
      suiteSeconds: 600,
    };
    const tiny = {...SUITE, threads: [1], profiles: {quick: profile, full: profile}};
    const lines: string[] = [];
    const cells = await runMeanShiftSuite(tiny, {
      profile: 'quick',
      adapter: 'auto',
      found: {adapter: null, adapterError: 'no Vulkan here'},
      resultsDir: folder,
      stem: 'tiny',
      log: (line) => lines.push(line),
    });
    const statuses = (method: string): string[] =>
      cells.filter((cell) => cell.method === method).map(({status}) => status);
    expect(statuses('sequential')).toEqual(['measured', 'measured', 'estimated']);
    expect(statuses('workers')).toEqual(['measured', 'measured', 'estimated']);
    expect(statuses('ours-sequential')).toEqual(['measured']);
    expect(statuses('ours-workers')).toEqual(['measured']);
    expect(cells.find(({method}) => method === 'ours-workers')?.threads).toBe(availableParallelism());
    expect(new Set(statuses('tiled'))).toEqual(new Set(['leftOut']));
    // Cells that are left out are one line of the suite, in the end.
    expect(lines.length).toBe(cells.filter(({status}) => status !== 'leftOut').length);
    expect(lines[0]).toMatch(/sequential at 50 .* verified$/);
  });

  it('reports the error for unknown data', async () => {
    const {bandwidth, iterations, ours, dim} = SUITE;
    const reply = await runInChild(
      {
        kind: 'mean-shift',
        method: 'sequential',
        threads: 1,
        tileWidth: null,
        n: 10,
        suite: {dataset: 'nowhere:seed=1', dim, bandwidth, iterations, ours},
        profile: {repeats: 1, deviceRepeats: 1, cellSeconds: 1},
        adapter: 'auto',
      },
      {timeoutMs: 30_000},
    );
    expect(reply).toMatchObject({status: 'failed', error: expect.stringMatching(/^dataset = "nowhere"/)});
  });
});
