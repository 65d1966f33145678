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
import {drawClusters} from '../src/measure/clusterPicture.ts';
import {PAGE_SCRIPT} from '../src/report/pageScript.ts';
import {writeReport} from '../src/report/writeReport.ts';
import {speedCells} from '../src/run/lines.ts';
import {measuredCell, milanesiCells, PIXEL, resultFile} from './reportFixture.ts';

let folder: string;
let result: string;
let html: string;
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
  [html, csv] = ['html', 'csv'].map((ext) => readFileSync(join(folder, 'out', `report.${ext}`), 'utf8'));
});

afterAll(() => rmSync(folder, {recursive: true}));

describe('writeReport', () => {
  it('names HTML, JSON and CSV, in this order, and leaves no temporary file', async () => {
    const outDir = join(folder, 'names');
    const {files} = await writeReport({results: [result], outDir});
    expect(files).toEqual(['report.html', 'report.json', 'report.csv'].map((name) => join(outDir, name)));
    expect(readdirSync(outDir).sort()).toEqual(['report.csv', 'report.html', 'report.json']);
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
      ['report.html', () => writeReport({results: [result], outDir})],
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

  it('refuses a suite that does not exist', async () => {
    const other = join(folder, 'unknown.json');
    writeFileSync(other, JSON.stringify(resultFile(milanesiCells(), {suite: 'books'})));
    await expect(writeReport({results: [other], outDir: folder})).rejects.toThrow(
      'suite = "books"; expected one of real',
    );
  });
});

describe('report.html', () => {
  it('takes speeds from whole runs of DBSCAN, and draws changes of points over their number', async () => {
    const changed = {n: 1_000_000, row: 'dynamic', backend: 'sequential'};
    const changes = [1, 100].map((count) => {
      return measuredCell(count, {...changed, params: {eps: 0.00094, minPts: 10, changes: count}});
    });
    const traffic = measuredCell(9, {...changed, dataset: 'traffic', params: {eps: 50, minPts: 40}});
    const dynamic = resultFile([...changes, traffic], {suite: 'dynamic'});
    const runs = resultFile(milanesiCells());
    expect(speedCells([runs, dynamic])).toEqual(speedCells([runs]));
    const file = join(folder, 'dynamic.json');
    writeFileSync(file, JSON.stringify(dynamic));
    const {files} = await writeReport({results: [file], outDir: join(folder, 'dynamic')});
    expect(readFileSync(files[0], 'utf8')).toContain('<h4>Time over points that come, and as many that go</h4>');
  });

  it('loads nothing: its own small script, no links to files, no addresses in sources or styles', () => {
    expect(html.match(/<script[\s>]/g)).toHaveLength(1);
    expect(html).toContain(`<script>${PAGE_SCRIPT}</script>`);
    expect(PAGE_SCRIPT).not.toMatch(/https?:|fetch|import|XMLHttpRequest|src\s*=/);
    expect(html).not.toMatch(/(?:src|href)="(?!#|data:)/);
    expect(html).not.toMatch(/url\(|@import/);
  });

  it('says in its first screen what ran, on what, when and at which load, what wins, and how many claims hold', () => {
    const front = html.slice(0, html.indexOf('<nav'));
    expect(front).toContain('Our codes of DBSCAN: the suite milanesi, 5 cells');
    expect(front).toContain(
      'on Test GPU 9000 and Test Processor, 2 threads; 2026-11-20, load average 0.5 to 1.5, full profile, commit 0123456',
    );
    expect(front).toContain('1 cell failed');
    expect(front).toMatch(/milanesi, 1,000,000 × 2, eps 0\.03, minPts 8<.*grid-bfs\/gpu<.*100 ms<.*30\.0×/s);
    expect(front).toMatch(/<b>1<\/b> <span aria-hidden="true">≈<\/span> too close to say/);
    for (const words of ['holds', 'does not hold', 'too close to say', 'partly measured', 'not run'])
      expect(front).toContain(words);
  });

  it('shows our numbers beside the document’s, and only what ran', () => {
    expect(html).toContain('circa 68 secondi');
    expect(html).toContain('60.0×');
    expect(html).not.toContain('id="dc-fig7a"><details');
    expect(html).toContain('Not run: real, threads');
    expect(html).not.toContain('0.005113000000000001');
  });

  it('folds what is long, embeds the cluster picture and escapes the message of a failed cell', () => {
    expect(html).toContain('data:image/png;base64,');
    expect(html).toContain('labels differ from the &lt;sequential&gt; variant’s');
    expect(html).toContain('<details class="suite" id="milanesi">');
  });

  it('follows the reader’s light or dark setting, and states the command that writes it', () => {
    expect(html).toContain('@media (prefers-color-scheme: dark)');
    expect(html).toContain('pnpm epsball bench milanesi --profile full');
  });

  it('has a target for every link inside the page, each once', () => {
    const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.filter((id, k) => ids.indexOf(id) !== k)).toEqual([]);
    expect([...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id).filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('shows bytes a point beside the limits, and marks a broken limit', async () => {
    const cells = [measuredCell(2, {n: 1_000_000, row: 'sequential', backend: 'sequential', hostBytes: 61e6})];
    const file = join(folder, 'memory.json');
    writeFileSync(file, JSON.stringify(resultFile(cells, {suite: 'memory'})));
    const {files} = await writeReport({results: [file], outDir: join(folder, 'memory')});
    expect(readFileSync(files[0], 'utf8')).toMatch(/<td class="number bad">61\.0 B<small>of 60<\/small>/);
  });
});

describe('report.csv', () => {
  it('has one row per cell with the same number of fields', () => {
    const lines = csv.trimEnd().split('\r\n');
    expect(lines).toHaveLength(1 + milanesiCells().length);
    for (const line of lines) expect(line.split(',').length).toBeGreaterThanOrEqual(lines[0].split(',').length);
    expect(lines[1]).toContain('eps=0.03 minPts=8');
  });
});
