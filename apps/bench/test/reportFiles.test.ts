import {
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {drawClusters} from '../src/report/dbscan/clusterPicture.ts';
import {writeReport} from '../src/report/writeReport.ts';
import {PAGE_SCRIPT} from '../src/report/pageScript.ts';
import {measuredCell, milanesiCells, PIXEL, resultFile} from './reportFixture.ts';

let folder: string;
let result: string;
let html: string;
let markdown: string;
let csv: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-report-'));
  const cells = milanesiCells();
  const [first] = cells;
  if (first.status === 'measured') cells[0] = {...first, picture: 'clusters.png'};
  writeFileSync(join(folder, 'clusters.png'), PIXEL);
  result = join(folder, 'milanesi.json');
  writeFileSync(result, JSON.stringify(resultFile(cells)));
  await writeReport({results: [result], outDir: join(folder, 'out')});
  [html, markdown, csv] = ['html', 'md', 'csv'].map((ext) =>
    readFileSync(join(folder, 'out', `report.${ext}`), 'utf8'),
  );
});

afterAll(() => rmSync(folder, {recursive: true}));

describe('writeReport', () => {
  it('names HTML, Markdown, JSON and CSV, in this order, and leaves no temporary file', async () => {
    const outDir = join(folder, 'names');
    const {files} = await writeReport({results: [result], outDir});
    expect(files).toEqual(['report.html', 'report.md', 'report.json', 'report.csv'].map((name) => join(outDir, name)));
    expect(readdirSync(outDir).sort()).toEqual(['charts', 'report.csv', 'report.html', 'report.json', 'report.md']);
  });

  it('refuses an empty list, a file that is not JSON, and JSON that is not a result', async () => {
    const write = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const report = (results: string[]): Promise<unknown> => writeReport({results, outDir: folder});
    await expect(report([])).rejects.toThrow('results = "none"; expected at least one result file');
    await expect(report([write('text.json', 'hello')])).rejects.toThrow(/text\.json"; expected JSON as/);
    await expect(report([write('other.json', '{"a": 1}')])).rejects.toThrow(
      /other\.json"; expected an epsball benchmark/,
    );
  });

  it('never replaces a result, also by another name', async () => {
    const outDir = join(folder, 'results');
    mkdirSync(outDir);
    const own = join(outDir, 'report.json');
    copyFileSync(result, own);
    for (const options of [{results: [own]}, {results: [result], compareWith: [own]}]) {
      await expect(writeReport({...options, outDir})).rejects.toThrow(
        'expected a folder whose report.json is no result',
      );
    }
    linkSync(own, join(folder, 'hard.json'));
    await expect(writeReport({results: [join(folder, 'hard.json')], outDir})).rejects.toThrow('is no result');
    expect(readFileSync(own)).toEqual(readFileSync(result));
  });

  it('writes through links and keeps modes, pictures of clusters too', async () => {
    const outDir = join(folder, 'linked');
    mkdirSync(outDir);
    const target = join(folder, 'target');
    const draw = (file: string): Promise<void> =>
      drawClusters({coords: Float64Array.of(0, 0, 1, 1), dim: 2}, Int32Array.of(0, 0), file);
    for (const [name, write] of [
      ['report.md', () => writeReport({results: [result], outDir})],
      ['report.csv', () => writeReport({results: [result], outDir})],
      ['clusters.png', () => draw(join(outDir, 'clusters.png'))],
    ] as const) {
      writeFileSync(target, 'old', {mode: 0o600});
      rmSync(join(outDir, name), {force: true});
      symlinkSync(target, join(outDir, name));
      await write();
      expect(lstatSync(join(outDir, name)).isSymbolicLink()).toBe(true);
      expect(readFileSync(target, 'latin1')).not.toBe('old');
      expect(statSync(target).mode & 0o777).toBe(0o600);
    }
  });

  it('numbers the charts of a suite with two results', async () => {
    const outDir = join(folder, 'twice');
    await writeReport({results: [result, result], outDir});
    const charts = readdirSync(join(outDir, 'charts'));
    expect(charts).toContain('milanesi-speed-up.svg');
    expect(charts).toContain('milanesi-2-speed-up.svg');
  });

  it('puts machines side by side', async () => {
    const other = join(folder, 'other-machine.json');
    const base = resultFile(milanesiCells(40));
    writeFileSync(
      other,
      JSON.stringify({
        ...base,
        machine: {...base.machine, cpu: 'Other Processor'},
        adapter: null,
        adapterError: 'none',
      }),
    );
    const outDir = join(folder, 'compare');
    await writeReport({results: [result], compareWith: [other], outDir});
    const text = readFileSync(join(outDir, 'report.md'), 'utf8');
    expect(text).toContain('grid-bfs gpu · A');
    expect(text).toContain('- B is Other Processor, 2 threads, no GPU, commit 0123456');
  });
});

describe('report.html', () => {
  it('loads nothing: its own small script, no links to files, no addresses in sources or styles', () => {
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).toContain(`<script>${PAGE_SCRIPT}</script>`);
    expect(PAGE_SCRIPT).not.toMatch(/fetch|import|XMLHttp|https?:|innerHTML|eval/);
    expect(html).not.toMatch(/<link|<iframe|<object|@import/i);
    for (const [, source] of html.matchAll(/\b(?:src|href|xlink:href)="([^"]*)"/g))
      expect(source).toMatch(/^data:image\/png;base64,|^#/);
    for (const [, address] of html.matchAll(/url\(([^)]*)\)/g)) expect(address).toMatch(/^["']?#/);
  });

  it('shows our numbers, the document’s, and both machines', () => {
    for (const words of ['6.00 s', '100 ms', '60.0×', 'Test GPU 9000', 'driver 1.2.3', 'Test Processor'])
      expect(html).toContain(words);
    for (const words of [
      'circa 68 secondi',
      'circa 1 secondo o poco più',
      'circa 59×',
      'AMD Ryzen 9 9900X',
      'NVIDIA GeForce RTX 5070',
    ]) {
      expect(html).toContain(words);
    }
  });

  it('draws time, speed-up and phases, and embeds the cluster picture', () => {
    // Four of the suite, and Figures 2 and 3 of the document.
    expect(html.match(/<svg /g)?.length).toBe(6);
    expect(html).toContain(`src="data:image/png;base64,${PIXEL.toString('base64')}"`);
  });

  it('escapes the message of a failed cell', () => {
    expect(html).toContain('labels differ from the &lt;sequential&gt; variant’s');
    expect(html).not.toContain('<sequential>');
  });

  it('follows the reader’s light or dark setting', () => {
    expect(html).toContain('prefers-color-scheme: dark');
    expect(html).toContain('color-scheme: light dark');
  });

  it('states the command that writes it', () => {
    expect(html).toContain('pnpm epsball bench milanesi --profile full');
  });
});

describe('report.md', () => {
  it('refers to charts that exist', () => {
    const charts = [...markdown.matchAll(/\]\((charts\/[^)]+)\)/g)].map(([, file]) => file);
    expect(charts.length).toBe(4);
    for (const file of charts) expect(readFileSync(join(folder, 'out', file), 'utf8')).toMatch(/^<svg .*<style>/);
  });

  it('keeps each table row on one line with the same number of columns', () => {
    const rows = markdown.split('\n').filter((line) => line.startsWith('| '));
    expect(rows.length).toBeGreaterThan(5);
    const widths = rows.map((row) => row.replaceAll('\\|', '').split('|').length);
    // The scoreboard, the times and the document's numbers.
    expect(new Set(widths).size).toBe(3);
  });
});

describe('report.csv', () => {
  it('has one row per cell with the same number of fields', () => {
    const lines = csv.trimEnd().split('\r\n');
    expect(lines.length).toBe(1 + milanesiCells().length);
    expect(lines[0]).toMatch(/^suite,profile,started_at,commit/);
    for (const line of lines) expect(line.split(',').length).toBeGreaterThanOrEqual(lines[0].split(',').length);
  });
});

describe('a report of the memory suite', () => {
  it('shows bytes per point beside the limits, and marks a broken limit', async () => {
    const key = {
      n: 1_000_000,
      dataset: 'uniform:n=1000000,dim=2,seed=1',
      eps: 0.00138,
      minPts: 5,
      backend: 'sequential',
    };
    const over = {hostBytes: 7e7, hostBytesPerPoint: 70, deviceBytes: null, deviceBytesPerPoint: null};
    const cells = [
      measuredCell(300, {...key, row: 'sequential'}),
      measuredCell(300, {...key, row: 'grid-bfs', memory: over}),
    ];
    const file = join(folder, 'memory.json');
    writeFileSync(file, JSON.stringify(resultFile(cells, {suite: 'memory'})));
    const outDir = join(folder, 'memory');
    await writeReport({results: [file], outDir});
    const text = readFileSync(join(outDir, 'report.html'), 'utf8');
    expect(text).toContain('<td class="number">20.0<small>of 60</small>');
    expect(text).toContain('<td class="number bad">70.0<small>of 60</small>');
    expect(text).toContain('At most 70.0 host bytes a point beyond input and output; promised are 60.');
  });
});
