import {suites, type DbscanCell, type MeasuredDbscanCell} from '@epsball/benchmarks';
import {describe, expect, it} from 'vitest';
import {drawCharts} from '../src/report/dbscan/charts.ts';
import {documentTable} from '../src/report/dbscan/documentTable.ts';
import {findingsOf} from '../src/report/dbscan/findings.ts';
import {gapsOf, resultTable} from '../src/report/dbscan/resultTable.ts';
import {placesOf, speedUpsOf, subjectName, subjectsOf, type DbscanSection} from '../src/report/dbscan/section.ts';
import {renderCsv} from '../src/report/csv.ts';
import {gpuWarning} from '../src/report/gpuWarning.ts';
import {buildReport} from '../src/report/model.ts';
import {formatCount, formatFactor, formatMs, formatPercent} from '@epsball/cli/command';
import {dbscanSectionOf, measuredCell, milanesiCells, resultFile} from './reportFixture.ts';

const NOW = '2026-11-20T16:00:00.000Z';
const FILE = {folder: '.', result: resultFile(milanesiCells())};
const REPORT = buildReport([FILE], false, NOW);
const SECTION = dbscanSectionOf(REPORT);

describe('format', () => {
  it('formats times with three digits and a fitting unit', () => {
    const texts = [0.0123, 0.85, 12.34, 999.4, 4560, 68_000].map(formatMs);
    expect(texts).toEqual(['12.3 µs', '850 µs', '12.3 ms', '999 ms', '4.56 s', '68.0 s']);
  });

  it('formats counts, factors and shares', () => {
    expect([formatCount(171_075), formatFactor(58.93), formatPercent(0.0423)]).toEqual(['171,075', '58.9×', '4.23 %']);
  });
});

describe('buildReport', () => {
  it('makes a section per result, or one section to compare them', () => {
    const later = {folder: '.', result: resultFile(milanesiCells(50), {startedAt: '2026-11-21T15:04:23.000Z'})};
    expect(buildReport([FILE, later], false, NOW).sections.length).toBe(2);
    const [only, ...others] = buildReport([FILE, later], true, NOW).sections;
    expect(others).toEqual([]);
    expect(only.runs.map(({letter}) => letter)).toEqual(['A', 'B']);
  });

  it('gives each pair of machine and commit a letter', () => {
    const memory = {folder: '.', result: resultFile([], {suite: 'memory'})};
    const other = {folder: '.', result: resultFile(milanesiCells(), {adapter: null, adapterError: 'none'})};
    const {runs} = buildReport([FILE, memory, other], true, NOW);
    expect(runs.map(({letter, label}) => [letter, label])).toEqual([
      ['A', 'Test Processor, 2 threads, Test GPU 9000, commit 0123456'],
      ['A', 'Test Processor, 2 threads, Test GPU 9000, commit 0123456'],
      ['B', 'Test Processor, 2 threads, no GPU, commit 0123456'],
    ]);
  });

  it('refuses a suite that does not exist', () => {
    const strange = {folder: '.', result: resultFile([], {suite: 'strange'})};
    expect(() => buildReport([strange], false, NOW)).toThrow(
      `suite = "strange"; expected one of ${suites.map(({id}) => id).join(', ')}`,
    );
  });

  it('lists subjects and workloads in running order', () => {
    expect(subjectsOf(SECTION).map(({row, backend}) => `${row} ${backend}`)).toEqual([
      'sequential sequential',
      'grid-bfs sequential',
      'grid-bfs gpu',
    ]);
    expect(placesOf(SECTION).map(({n}) => n)).toEqual([1000, 1_000_000]);
  });
});

describe('speedUpsOf', () => {
  it('divides by the serial backend of the same variant and by the sequential variant', () => {
    expect(speedUpsOf(SECTION).map(({baseline, cell, factor}) => [baseline.row, cell.n, factor])).toEqual([
      ['grid-bfs', 1_000_000, 60],
      ['sequential', 1_000_000, 30],
    ]);
  });

  it('divides by the suite’s own reference', () => {
    const named = {row: 'sequential', backend: 'sequential', options: {index: 'directory'}};
    const ours = {n: 1000, row: 'dclust', backend: 'gpu', options: {index: 'none'}};
    const result = resultFile([measuredCell(90, {...named, n: 1000}), measuredCell(3, ours)]);
    const section = dbscanSectionOf(buildReport([{folder: '.', result}], false, NOW));
    expect(speedUpsOf(section)).toEqual([]);
    expect(speedUpsOf({...section, suite: {...section.suite, reference: named}}).map(({factor}) => factor)).toEqual([
      30,
    ]);
  });

  it('never divides across runs', () => {
    const cells = milanesiCells();
    const serialOnly = {folder: '.', result: resultFile(cells.filter(({backend}) => backend === 'sequential'))};
    const gpuOnly = {folder: '.', result: resultFile(cells.filter(({backend}) => backend === 'gpu'))};
    expect(speedUpsOf(dbscanSectionOf(buildReport([serialOnly, gpuOnly], true, NOW)))).toEqual([]);
  });
});

describe('a section whose axis is threads', () => {
  const cells = [
    measuredCell(80, {n: 1000, row: 'sequential', backend: 'sequential'}),
    ...[1, 2, 4].map((threads) => measuredCell(100 / threads, {n: 1000, row: 'sets', backend: 'workers', threads})),
  ];
  const base = dbscanSectionOf(buildReport([{folder: '.', result: resultFile(cells)}], false, NOW));
  const section: DbscanSection = {...base, suite: {...base.suite, axis: 'threads', published: []}};

  it('has a row per thread count and one column per variant', () => {
    const {columns, rows} = resultTable(section);
    expect(columns.map(({title}) => title).slice(0, 4)).toEqual([
      'threads',
      'sequential',
      'sets workers',
      'sets workers over sequential',
    ]);
    expect(rows.map((row) => row.slice(0, 4).map(({text}) => text))).toEqual([
      ['1', '80.0 ms', '100 ms', '0.800×'],
      ['2', '–', '50.0 ms', '1.60×'],
      ['4', '–', '25.0 ms', '3.20×'],
    ]);
  });

  it('states the speed-up at the most threads', () => {
    expect(findingsOf(section)).toContain('sets workers was 3.20× as fast as sequential at 4 threads.');
  });

  it('has a column per thread count on another axis', () => {
    expect(subjectsOf({...section, suite: base.suite}).map(subjectName)).toEqual([
      'sequential',
      'sets workers',
      'sets workers ×2',
      'sets workers ×4',
    ]);
  });
});

describe('a section with options', () => {
  const serial = {n: 1000, row: 'sequential', backend: 'sequential'};
  const cells = [
    measuredCell(2, serial),
    measuredCell(50, {...serial, options: {index: 'none'}}),
    measuredCell(1, {n: 1000, row: 'grid-bfs', backend: 'gpu', threads: 4, options: {index: 'none', union: 'lock'}}),
  ];
  const files = [{folder: '.', result: resultFile(cells)}];
  const section = dbscanSectionOf(buildReport(files, false, NOW));

  it('has a column and a name per choice of options', () => {
    const names = ['sequential', 'sequential (index none)', 'grid-bfs gpu ×4 (index none, union lock)'];
    expect(subjectsOf(section).map(subjectName)).toEqual(names);
    const {columns, rows} = resultTable(section);
    expect(columns.slice(1, 4).map(({title}) => title)).toEqual(names);
    expect(rows.map((row) => row.slice(1, 4).map(({text}) => text))).toEqual([['2.00 ms', '50.0 ms', '1.00 ms']]);
  });

  it('draws a bar and a line per choice of options', async () => {
    const charts = await drawCharts(section);
    for (const {svg} of charts.filter(({name}) => name === 'phases' || name === 'time')) {
      expect(svg).toContain('sequential (index none)');
    }
  });

  it('writes the options to a column of the CSV', () => {
    const [, , none, gpu] = renderCsv(buildReport(files, false, NOW)).split('\r\n');
    expect(none).toContain(',index=none,');
    expect(gpu).toContain(',index=none union=lock,');
  });
});

describe('a section whose axis is the data set', () => {
  const on = {n: 1000, row: 'sequential', backend: 'sequential'};
  const cells = ['uniform:n=1000,dim=2', 'moons:n=1000'].map((dataset) => measuredCell(2, {...on, dataset}));
  const files = [{folder: '.', result: resultFile(cells, {suite: 'variants'})}];
  const section = dbscanSectionOf(buildReport(files, false, NOW));

  it('names the data in each row', () => {
    expect(resultTable(section).rows.map(([first]) => first.text)).toEqual([
      'uniform, 1,000 × 2, eps 0.03',
      'moons, 1,000 × 2, eps 0.03',
    ]);
  });

  it('draws no lines from one data set to the next', async () => {
    const charts = await drawCharts(section);
    expect(charts.map(({name}) => name)).toEqual(['phases']);
  });
});

describe('findings', () => {
  it('states the verified cells, the failures, the fastest cell and the speed-ups', () => {
    expect(findingsOf(SECTION)).toEqual([
      'All 5 measured cells gave the labels of the sequential variant, byte for byte; up to 4,000 points also of the O(n²) definition.',
      '1 cell failed; the table says why.',
      '1,000,000 points: fastest was grid-bfs gpu with 100 ms (50.0 ms on the device) on Test GPU 9000. It found 10 clusters and 1.00 % noise.',
      'grid-bfs gpu was 60.0× as fast as grid-bfs sequential at 1,000,000 points.',
      'grid-bfs gpu was 30.0× as fast as sequential at 1,000,000 points.',
    ]);
  });

  it('names the workloads whose labels were compared with another variant', () => {
    const many = {n: 2_000_000, backend: 'gpu'};
    const cells = [
      ...milanesiCells(),
      measuredCell(9000, {...many, row: 'gdbscan', verifiedAgainst: ['reference']}),
      measuredCell(200, {...many, row: 'grid-bfs', verifiedAgainst: ['agreement']}),
    ];
    const section = dbscanSectionOf(buildReport([{folder: '.', result: resultFile(cells)}], false, NOW));
    expect(findingsOf(section).slice(0, 2)).toEqual([
      '5 measured cells gave the labels of the sequential variant, byte for byte; up to 4,000 points also of the O(n²) definition.',
      'At 2,000,000 points gdbscan gpu and grid-bfs gpu gave the same labels, byte for byte; the sequential variant was not run on so many.',
    ]);
  });

  it('states the factor of a slower GPU', () => {
    const report = buildReport([{folder: '.', result: resultFile(milanesiCells(12_000))}], false, NOW);
    expect(findingsOf(dbscanSectionOf(report))).toContain(
      'grid-bfs gpu took 2.00× as long as grid-bfs sequential at 1,000,000 points.',
    );
  });

  it('states why no GPU cell ran, if the suite has GPU cells', () => {
    const missed = (cells: readonly DbscanCell[]): Parameters<typeof gpuWarning>[0] =>
      buildReport([{folder: '.', result: resultFile(cells, {adapter: null, adapterError: 'no Vulkan'})}], false, NOW)
        .runs[0];
    expect(gpuWarning(missed(milanesiCells()))).toBe('No GPU cell ran: no Vulkan');
    expect(gpuWarning(missed([]))).toBeNull();
  });

  it('warns of a software adapter', () => {
    expect(gpuWarning(REPORT.runs[0])).toBeNull();
    const {adapter} = FILE.result;
    if (adapter === null) throw new Error('the fixture has an adapter');
    const software = resultFile([], {adapter: {...adapter, name: 'SwiftShader', kind: 'bundled'}});
    const [run] = buildReport([{folder: '.', result: software}], false, NOW).runs;
    expect(gpuWarning(run)).toMatch(/^The GPU cells ran on SwiftShader, a software adapter/);
  });
});

describe('tables', () => {
  it('has a row per workload with times, speed-ups, clusters and verification', () => {
    const {columns, rows} = resultTable(SECTION);
    expect(columns.map(({title}) => title)).toEqual([
      'points',
      'sequential',
      'grid-bfs sequential',
      'grid-bfs gpu',
      'grid-bfs gpu over grid-bfs sequential',
      'grid-bfs gpu over sequential',
      'clusters',
      'noise',
      'labels',
    ]);
    expect(rows.map((row) => row.map(({text}) => text))).toEqual([
      ['1,000', '2.00 ms', '4.00 ms', 'failed', '–', '–', '10', '1.00 %', 'equal, and to the definition'],
      ['1,000,000', '3.00 s', '6.00 s', '100 ms', '60.0×', '30.0×', '10', '1.00 %', 'equal'],
    ]);
  });

  it('calls the labels of a single cell equal if an earlier run verified them', () => {
    const lone = (n: number, verifiedAgainst: MeasuredDbscanCell['verifiedAgainst']): MeasuredDbscanCell =>
      measuredCell(100, {n, row: 'grid-bfs', backend: 'gpu', verifiedAgainst});
    const result = resultFile([lone(1000, ['sequential']), lone(2000, ['reference'])]);
    const {rows} = resultTable(dbscanSectionOf(buildReport([{folder: '.', result}], false, NOW)));
    expect(rows.map((row) => row.at(-1)?.text)).toEqual(['equal', 'nothing to compare']);
  });

  it('states the reason for each gap once', () => {
    expect(gapsOf(SECTION)).toEqual([
      'Failed: labels differ from the <sequential> variant’s (grid-bfs gpu at 1,000 points)',
    ]);
  });

  it('shows the document’s numbers and machines beside ours', () => {
    const rows = documentTable(SECTION)?.rows.map((row) => row.slice(0, 6).map(({text}) => text));
    expect(rows).toEqual([
      ['time, grid-bfs sequential', '1,000,000', 'circa 68 secondi', 'AMD Ryzen 9 9900X', '6.00 s', 'Test Processor'],
      [
        'time, grid-bfs gpu',
        '1,000,000',
        'circa 1 secondo o poco più per ogni dataset',
        'NVIDIA GeForce RTX 5070',
        '100 ms',
        'Test GPU 9000',
      ],
      [
        'speed-up, grid-bfs gpu',
        '1,000,000',
        'circa 59×',
        'NVIDIA GeForce RTX 5070 over AMD Ryzen 9 9900X',
        '60.0×',
        'Test GPU 9000 over Test Processor',
      ],
    ]);
  });

  it('marks labels that differ between machines', () => {
    const [first] = milanesiCells();
    const odd = measuredCell(2, {n: 1000, row: 'sequential', backend: 'sequential', labelsHash: 'other'});
    const files = [first, odd].map((cell) => ({folder: '.', result: resultFile([cell])}));
    const section = dbscanSectionOf(buildReport(files, true, NOW));
    expect(resultTable(section).rows[0].at(-1)).toEqual({text: 'differ between runs', tone: 'bad'});
  });
});
