import {existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {documents, plainText, suites} from '@epsball/benchmarks';
import {escapeHtml} from '@epsball/cli/command';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {writeReport} from '../src/report/writeReport.ts';

const BASELINES = join(import.meta.dirname, '../../../benchmarks/baselines');

function filesOf(pattern: string): string[] {
  return globSync(join(BASELINES, pattern)).toSorted();
}

describe('the report of the committed baselines', () => {
  let folder = '';
  let html = '';
  let words = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'epsball-front-'));
    await writeReport({
      results: filesOf('*-nvidia-h200.json'),
      references: filesOf('references/*.json'),
      outDir: folder,
    });
    html = readFileSync(join(folder, 'report.html'), 'utf8');
    words = html.replaceAll(/<style>.*?<\/style>|<script>.*?<\/script>|<[^>]+>/gs, ' ').replaceAll(/\s+/g, ' ');
  });
  afterAll(() => rmSync(folder, {recursive: true, force: true}));

  it('prints every number of every table, chart and picture as the document does', () => {
    const entries = documents.flatMap(({entries: all}) => all);
    for (const {id, printed} of entries) {
      for (const text of printed) {
        expect(words.includes(escapeHtml(plainText(text))), `${id}: ${text}`).toBe(true);
      }
    }
  });

  it('links each table, chart and picture from the first screen to its place', () => {
    const front = html.slice(html.indexOf('id="scoreboard"'), html.indexOf('id="claims"'));
    for (const {entries} of documents) {
      for (const {id, kind} of entries) {
        expect(html.split(`id="${id}"`), id).toHaveLength(2);
        if (kind === 'table' || kind === 'chart' || kind === 'picture') expect(front, id).toContain(`href="#${id}"`);
      }
    }
  });

  it('has a target for every link inside the page, each once', () => {
    const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.filter((id, k) => ids.indexOf(id) !== k)).toEqual([]);
    const missing = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id).filter((id) => !ids.includes(id));
    const measured = new Set(filesOf('*-nvidia-h200.json').map((file) => file.slice(BASELINES.length + 1)));
    // A suite without a baseline has no section yet.
    const unmeasured = suites.filter(({id}) => !measured.has(`${id}-nvidia-h200.json`)).map(({id}) => id);
    expect([...new Set(missing)].filter((id) => !unmeasured.includes(id))).toEqual([]);
  });

  it('is smaller than 5 MB', () => {
    expect(statSync(join(folder, 'report.html')).size).toBeLessThan(5_000_000);
  });

  it('marks one fastest cell in each row of the matrix', () => {
    const matrix = html.slice(html.indexOf('<table class="matrix'), html.indexOf('id="found"'));
    const rows = matrix.split('<tr data-n=').slice(1);
    expect(rows.length).toBeGreaterThan(20);
    for (const row of rows) expect(row.split('class="number winner"')).toHaveLength(2);
  });
});

describe('docs/report, which `pnpm docs:report` writes', () => {
  const folder = join(BASELINES, '../../docs/report');
  const pages = globSync('*.html', {cwd: folder});

  it('has a page for each machine, which the others link', () => {
    expect(pages).toContain('index.html');
    for (const page of pages) {
      const html = readFileSync(join(folder, page), 'utf8');
      const linked = [...html.matchAll(/href="([\w-]+\.html)"/g)].map(([, href]) => href);
      expect(linked.toSorted(), page).toEqual(pages.filter((other) => other !== page).toSorted());
    }
  });

  it('names further machines in full once, and in brief beside each figure', () => {
    const front = readFileSync(join(folder, 'index.html'), 'utf8').split('id="claims"')[0];
    expect(front.split('beside it NVIDIA H100 80GB HBM3.')).toHaveLength(2);
    expect(front).toContain('<small>H100: ');
    expect(front).not.toContain('<small>NVIDIA');
  });

  it.each(pages)('%s has every number that the documents print, and loads nothing but its pictures', (page) => {
    const html = readFileSync(join(folder, page), 'utf8');
    const words = html.replaceAll(/<style>.*?<\/style>|<script>.*?<\/script>|<[^>]+>/gs, ' ');
    for (const {id, printed} of documents.flatMap(({entries}) => entries)) {
      for (const text of printed) expect(words.includes(escapeHtml(plainText(text))), `${id}: ${text}`).toBe(true);
    }
    expect(html).not.toMatch(/src="(?!data:|pictures\/\w+\.png")/);
    expect(html).not.toMatch(/href="(?!#|data:|[\w-]+\.html")/);
    const pictures = [...html.matchAll(/src="(pictures\/[^"]*)"/g)].map(([, file]) => file);
    expect(pictures.length).toBeGreaterThan(10);
    for (const file of pictures) expect(existsSync(join(folder, file)), file).toBe(true);
  });

  it.each(pages)('%s is below 1 MiB', (page) => {
    expect(statSync(join(folder, page)).size).toBeLessThan(2 ** 20);
  });
});
