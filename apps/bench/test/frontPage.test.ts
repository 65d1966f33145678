import {existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {claims, documents, plainText} from '@epsball/benchmarks';
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

  it('has a place for each entry, and a target for every link inside the page, each once', () => {
    const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.filter((id, k) => ids.indexOf(id) !== k)).toEqual([]);
    for (const {id} of documents.flatMap(({entries}) => entries)) expect(ids).toContain(id);
    const missing = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id).filter((id) => !ids.includes(id));
    expect(missing).toEqual([]);
  });

  it('shows every claim with its rule', () => {
    for (const {rule} of claims) expect(words).toContain(escapeHtml(`Holds if ${rule}.`));
  });

  it('has no zero with decimals, no thousands of seconds in k, and speed-ups apart from their quotients', () => {
    expect(words).not.toMatch(/\b0\.0+ (?:µs|%)|\dk s\b/);
    expect(words).toMatch(/ours \d+× to \d+×; 0\.\d+× to 1\.\d+×\. Holds if our speed-ups for minPts from 4 to 512/);
  });

  it('is smaller than 5 MB', () => {
    expect(statSync(join(folder, 'report.html')).size).toBeLessThan(5_000_000);
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

  it.each(pages)('%s has every number that the documents print, and loads nothing but its pictures', (page) => {
    const html = readFileSync(join(folder, page), 'utf8');
    const words = html.replaceAll(/<style>.*?<\/style>|<script>.*?<\/script>|<[^>]+>/gs, ' ');
    for (const {id, printed} of documents.flatMap(({entries}) => entries)) {
      for (const text of printed) expect(words.includes(escapeHtml(plainText(text))), `${id}: ${text}`).toBe(true);
    }
    expect(html).not.toMatch(/src="(?!data:|pictures\/\w+\.png")/);
    expect(html).not.toMatch(/href="(?!#|data:|[\w-]+\.html")/);
    const pictures = [...html.matchAll(/src="(pictures\/[^"]*)"/g)].map(([, file]) => file);
    expect(pictures.length).toBeGreaterThan(6);
    for (const file of pictures) expect(existsSync(join(folder, file)), file).toBe(true);
  });

  it.each(pages)('%s is below 1.5 MiB', (page) => {
    expect(statSync(join(folder, page)).size).toBeLessThan(1.5 * 2 ** 20);
  });
});
