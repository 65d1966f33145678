import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {PrimitiveResultFile} from '@epsball/benchmarks';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {gpuWarning} from '../src/report/gpuWarning.ts';
import {buildReport} from '../src/report/model.ts';
import {drawCharts} from '../src/report/primitives/charts.ts';
import {familyTable} from '../src/report/primitives/familyTable.ts';
import {findingsOf, gapsOf} from '../src/report/primitives/findings.ts';
import {familiesOf, type PrimitiveSection} from '../src/report/primitives/section.ts';
import {writeReport} from '../src/report/writeReport.ts';
import {primitiveResult, SCAN_CELLS, scanCell} from './primitiveFixture.ts';
import {milanesiCells, resultFile} from './reportFixture.ts';

const NOW = '2026-11-20T16:00:00.000Z';

function sectionOf(...results: readonly PrimitiveResultFile[]): PrimitiveSection {
  const files = results.map((result) => ({folder: '.', result}));
  const {
    sections: [section],
  } = buildReport(files, true, NOW);
  if (section.kind !== 'primitives') throw new Error(`kind = "${section.kind}"; expected primitives`);
  return section;
}

const SECTION = sectionOf(primitiveResult());
const [SCAN] = familiesOf(SECTION);

describe('the table of a family', () => {
  it('has a row per count: device time, GB/s, share of the copy, transfers, JavaScript, other libraries', () => {
    const {columns, rows} = familyTable(SECTION, SCAN);
    expect(columns.map(({title}) => title)).toEqual([
      'operation',
      'elements',
      'device',
      'GB/s',
      'of a copy',
      'with transfers',
      'JavaScript',
      'CUB 2.x, NVIDIA H200',
      'gridwise, NVIDIA H200',
      'b0nes, NVIDIA H200',
    ]);
    expect(rows.map((row) => row.map(({text}) => text))).toEqual([
      ['exclusive sum u32', '2²⁰', '20.0 µs', '419', '50.0 %', '200 µs', '10.0 ms', '14.0 µs', '22.0 µs', '24.0 µs'],
      ['', '2²⁴', '80.0 µs', '1,678', '50.0 %', '800 µs', '200 ms', '56.0 µs', '454 µs', '274 µs'],
      ['', '2²⁸', 'left out', '–', '–', '–', 'failed', '700 µs', 'hangs', '–'],
    ]);
    expect(rows[1][4]).toMatchObject({note: 'copy 3,355', share: 0.5});
    expect(rows[2][6].tone).toBe('bad');
    expect(rows[2][8].tone).toBe('document');
  });

  it('has columns per run', () => {
    const faster = primitiveResult([scanCell('gpu', 2 ** 24, 0.06)], {adapter: null, adapterError: 'none'});
    const {columns, rows} = familyTable(sectionOf(primitiveResult(), faster), SCAN);
    expect(columns[2].title).toBe('device · A');
    expect(columns[7].title).toBe('device · B');
    expect(rows[1][7].text).toBe('60.0 µs');
    expect(rows[1][9].text).toBe('–');
  });

  it('shows an operation that the suite no longer has', () => {
    const gone = {...scanCell('gpu', 2 ** 16, 1), operation: 'sort-bogo-u32'};
    const section = sectionOf(primitiveResult([gone]));
    const [family] = familiesOf(section);
    expect(family.name).toBe('Other');
    expect(familyTable(section, family).rows[0][0].text).toBe('sort-bogo-u32 u32');
  });
});

describe('findings', () => {
  it('state the checks, the failures and the rate at the largest count', () => {
    expect(findingsOf(SECTION)).toEqual([
      'The results of all 2 measured GPU cells were right in full, in the first and in the last run.',
      '1 cell failed; the list below the tables says why.',
      'Scan, exclusive sum u32, 2²⁴: 80.0 µs on the device (1,678 GB/s, 50.0 % of a copy); JavaScript 200 ms.',
    ]);
  });

  it('state the reason for each gap once', () => {
    expect(gapsOf(SECTION)).toEqual([
      'Left out: bytes of sums = 1; the adapter allows 0 (scan-exclusive-u32 gpu at 2²⁸)',
      'Failed: out of memory (scan-exclusive-u32 javascript at 2²⁸)',
    ]);
  });

  it('warn if no GPU cell ran', () => {
    const section = sectionOf(primitiveResult(SCAN_CELLS, {adapter: null, adapterError: 'no Vulkan'}));
    expect(gpuWarning(section.runs[0])).toBe('No GPU cell ran: no Vulkan');
  });
});

describe('the chart of a family', () => {
  it('draws our times and the copy, and other libraries for a hardware adapter only', async () => {
    const [chart, ...others] = await drawCharts(SECTION);
    expect(others).toEqual([]);
    expect(chart).toMatchObject({name: 'scan', title: 'Scan: GB/s'});
    for (const words of ['exclusive sum u32', 'a copy', 'CUB 2.x', 'gridwise', '2^24'])
      expect(chart.svg).toContain(words);
    const {adapter} = primitiveResult();
    if (adapter === null) throw new Error('the fixture has an adapter');
    const software = primitiveResult(SCAN_CELLS, {adapter: {...adapter, kind: 'bundled'}});
    const [soft] = await drawCharts(sectionOf(software));
    expect(soft.svg).not.toContain('CUB 2.x');
  });

  it('is left out without device times', async () => {
    expect(await drawCharts(sectionOf(primitiveResult([scanCell('javascript', 2 ** 20, 1)])))).toEqual([]);
  });
});

describe('a report of both kinds of suites', () => {
  let folder: string;
  let outDir: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'epsball-primitives-'));
    outDir = join(folder, 'out');
    const files = {milanesi: resultFile(milanesiCells()), primitives: primitiveResult()};
    const results = Object.entries(files).map(([name, result]) => {
      writeFileSync(join(folder, `${name}.json`), JSON.stringify(result));
      return join(folder, `${name}.json`);
    });
    await writeReport({results, outDir});
  });

  afterAll(() => rmSync(folder, {recursive: true}));

  it('has a section, a chart and a table per kind', () => {
    const html = readFileSync(join(outDir, 'report.html'), 'utf8');
    for (const id of ['milanesi', 'primitives']) expect(html).toContain(`<section id="${id}">`);
    expect(html).toContain('<h4>Scan</h4>');
    const charts = readdirSync(join(outDir, 'charts'));
    expect(charts).toContain('primitives-scan.svg');
    expect(charts).toContain('milanesi-time.svg');
    expect(readFileSync(join(outDir, 'report.md'), 'utf8')).toContain('### Scan');
  });

  it('writes all cells to one CSV with the columns of both kinds', () => {
    const [head, ...lines] = readFileSync(join(outDir, 'report.csv'), 'utf8').trimEnd().split('\r\n');
    const names = head.split(',');
    for (const name of ['suite', 'eps', 'labels_hash', 'operation', 'implementation', 'device_gb_per_s']) {
      expect(names.filter((one) => one === name)).toEqual([name]);
    }
    expect(lines.length).toBe(milanesiCells().length + SCAN_CELLS.length);
    const gpu = lines.find((line) => line.includes(',scan-exclusive-u32,')) ?? '';
    expect(gpu.split(',')[names.indexOf('machine')]).toBe('Test GPU 9000');
  });
});
