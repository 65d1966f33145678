import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {writeReport} from '../src/report/writeReport.ts';
import {milanesiCells, PIXEL, resultFile} from './reportFixture.ts';

const SCRIPT = '"><script>alert(1)</script>';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-hostile-'));
  mkdirSync(join(folder, 'results'));
  writeFileSync(join(folder, 'results', 'pixel.png'), PIXEL);
  writeFileSync(join(folder, 'secret.txt'), 'the secret');
});

afterAll(() => rmSync(folder, {recursive: true}));

/** The files of a report on one result, whose first cell has this picture and data set. */
async function report(
  changes: Parameters<typeof resultFile>[1],
  cell: {picture?: string; dataset?: string},
): Promise<{html: string; csv: string}> {
  const [first, ...rest] = milanesiCells();
  const cells = first.status === 'measured' ? [{...first, ...cell}, ...rest.map((one) => ({...one, ...cell}))] : rest;
  const file = join(folder, 'results', 'result.json');
  writeFileSync(file, JSON.stringify(resultFile(cells, changes)));
  const {
    files: [html, , csv],
  } = await writeReport({results: [file], outDir: join(folder, 'out')});
  return {html: readFileSync(html, 'utf8'), csv: readFileSync(csv, 'utf8')};
}

describe('a result with markup in its texts', () => {
  it('puts no script into HTML, and no formula into CSV', async () => {
    const {machine, adapter} = resultFile([]);
    const {html, csv} = await report(
      {
        commit: {hash: '=HYPERLINK("http://example.org")', dirty: false},
        machine: {...machine, cpu: `@SUM(1)${SCRIPT}`, os: SCRIPT, arch: SCRIPT, node: `-1${SCRIPT}`},
        adapter: adapter && {...adapter, name: `+1${SCRIPT}`, description: SCRIPT},
      },
      {picture: 'pixel.png', dataset: `milanesi${SCRIPT}`},
    );
    expect(html).toContain('data:image/png;base64,');
    expect(html).not.toContain('<script>alert');
    for (const field of csv.split(/\r\n|,/)) expect(field).not.toMatch(/^"?[=@+]/);
    expect(csv).toContain("'=HYPERLINK(");
  });
});

describe('the picture of a result', () => {
  it.each(['../secret.txt', '/etc/hostname', '..', String.raw`..\secret.txt`, 'a/b.png', '', 'nul\0.png'])(
    'must be a plain file name: %j is refused',
    async (picture) => {
      await expect(report({}, {picture})).rejects.toThrow(/plain file name/);
    },
  );

  it('is left out if the file is missing', async () => {
    expect((await report({}, {picture: 'gone.png'})).html).not.toContain('<img');
  });

  it('is an SVG or a PNG by its first bytes', async () => {
    writeFileSync(
      join(folder, 'results', 'plot.svg'),
      '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>',
    );
    expect((await report({}, {picture: 'plot.svg'})).html).toContain('data:image/svg+xml;base64,');
    writeFileSync(join(folder, 'results', 'text.png'), 'not a picture');
    await expect(report({}, {picture: 'text.png'})).rejects.toThrow(/text\.png.*expected a PNG or SVG/);
  });

  it('must not be a link, a folder, a named pipe or larger than 16 MiB', async () => {
    symlinkSync('../secret.txt', join(folder, 'results', 'link.png'));
    mkdirSync(join(folder, 'results', 'folder.png'));
    execFileSync('mkfifo', [join(folder, 'results', 'pipe.png')]);
    writeFileSync(join(folder, 'results', 'large.png'), PIXEL);
    truncateSync(join(folder, 'results', 'large.png'), 2 ** 24 + 1);
    for (const picture of ['link.png', 'folder.png', 'pipe.png', 'large.png']) {
      await expect(report({}, {picture})).rejects.toThrow(/expected a regular file of at most 16 MiB/);
    }
  });
});
