import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {shareOf} from '@epsball/conformance/share';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {runMain} from './runMain.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-misuse-'));
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write('good.csv', 'x,y\n0,0\n1,0\n50,0\n');
  write('text.csv', 'x,y\n0,0\n1,abc\n50,0\n');
  write('nan.csv', 'x,y\n0,0\n1,NaN\n50,0\n');
  write('short.npy', 'not a numpy file');
  write('points.docx', 'no');
  writeFileSync(join(folder, 'raw.f32'), Buffer.alloc(16));
  write('wide.csv', `a,b,c,d,e\n1,2,3,4,5\n`);
});

afterAll(() => rmSync(folder, {recursive: true}));

const PARAMS = ['--eps', '1', '--min-pts', '2'];

describe('epsball, misused, prints one line with the expectation and ends with 2', () => {
  const misuses: readonly (readonly [string, string[], string | RegExp])[] = [
    [
      'a wrong flag',
      ['cluster', 'good.csv', ...PARAMS, '--color'],
      'option = "--color"; expected one that --help lists',
    ],
    ['a misspelt flag', ['cluster', 'good.csv', '--min-pst', '2'], 'option = "--min-pst"; expected --min-pts, or'],
    ['a wrong command', ['clutser'], 'command = "clutser"; expected cluster, or'],
    ['no input', ['cluster', ...PARAMS], 'INPUT = (not given); expected a value'],
    ['two inputs', ['cluster', 'good.csv', 'good.csv', ...PARAMS], 'expected fewer'],
    ['no eps', ['cluster', 'good.csv', '--min-pts', '2'], '--eps = (not given); expected a finite number > 0'],
    ['no minPts', ['cluster', 'good.csv', '--eps', '2'], '--min-pts = (not given); expected an integer ≥ 1'],
    ['a flag without its value', ['cluster', 'good.csv', '--eps'], '--eps = (not given); expected a value'],
    ['eps in words', ['cluster', 'good.csv', '--eps', 'abc'], '--eps = "abc"; expected a number > 0, with'],
    ['eps in hexadecimal', ['cluster', 'good.csv', '--eps', '0x10'], '--eps = "0x10"; expected a finite number > 0'],
    ['an empty eps', ['cluster', 'good.csv', '--eps', ''], '--eps = ""; expected a finite number > 0'],
    ['eps NaN', ['cluster', 'good.csv', '--eps', 'NaN'], '--eps = "NaN"; expected a number > 0, with'],
    ['eps 0', ['cluster', 'good.csv', '--eps', '0'], '--eps = "0"; expected a finite number > 0'],
    ['minPts 1.5', ['cluster', 'good.csv', '--min-pts', '1.5'], '--min-pts = "1.5"; expected an integer ≥ 1'],
    ['a wrong backend', ['cluster', 'good.csv', '--backend', 'cuda'], '--backend = "cuda"; expected one of auto, seq'],
    ['a wrong adapter', ['cluster', 'good.csv', '--adapter', 'fast'], '--adapter = "fast"; expected one of auto, hard'],
    [
      'a wrong algorithm',
      ['cluster', 'good.csv', ...PARAMS, '--algorithm', 'kmeans'],
      '--algorithm = "kmeans"; expected',
    ],
    [
      'a wrong extension',
      ['cluster', 'good.csv', ...PARAMS, '--out', 'a.txt'],
      '--out = "a.txt"; expected a file that ends in .npy',
    ],
    ['no GPUs', ['cluster', 'good.csv', ...PARAMS, '--gpus', '0'], '--gpus = "0"; expected an integer ≥ 1'],
    [
      'a metric on several GPUs',
      ['cluster', 'good.csv', ...PARAMS, '--gpus', '2', '--metric', 'manhattan'],
      '--gpus = "2"; expected no --metric manhattan beside it',
    ],
    [
      'several GPUs without a GPU',
      ['scale', 'run', 'good.csv', ...PARAMS, '--work', 'work', '--gpus', 'all', '--backend', 'workers'],
      '--gpus = "all"; expected --backend gpu or auto beside it, not workers',
    ],
    ['no such folder', ['cluster', 'good.csv', '--plot', 'no/a.svg'], 'expected a file in a folder that exists'],
    ['a missing file', ['cluster', 'missing.csv', ...PARAMS], /missing\.csv/],
    ['a file of another kind', ['cluster', 'points.docx', ...PARAMS], /points\.docx.*\.npy/],
    ['a broken file', ['cluster', 'short.npy', ...PARAMS], /short\.npy/],
    ['a missing column', ['cluster', 'good.csv', ...PARAMS, '--columns', 'x,z'], /good\.csv.*z.*x, y/],
    ['text in a number column', ['cluster', 'text.csv', ...PARAMS], /text\.csv.*3.*abc/],
    ['NaN in a number column', ['cluster', 'nan.csv', ...PARAMS], /nan\.csv.*NaN/],
    [
      'too many dimensions',
      ['cluster', 'wide.csv', ...PARAMS, '--algorithm', 'grid-bfs'],
      /^epsball: dim = 5; expected 1 to 4 for grid-bfs \(sequential, pds.* can\)\n$/,
    ],
    [
      'threads for a variant without',
      ['cluster', 'good.csv', ...PARAMS, '--algorithm', 'sequential', '--threads', '4'],
      '--threads = "4"; expected an algorithm with threads (these have: dense-grid, pds, hybrid)',
    ],
    [
      'threads on one thread',
      ['cluster', 'good.csv', ...PARAMS, '--backend', 'sequential', '--threads', '4'],
      '--threads = "4"; expected --backend workers, gpu or auto beside it, not sequential',
    ],
    [
      'an adapter on one thread',
      ['cluster', 'good.csv', ...PARAMS, '--backend', 'sequential', '--adapter', 'software'],
      '--adapter = "software"; expected --backend gpu or auto beside it, not sequential',
    ],
    [
      'an adapter for a variant without',
      ['cluster', 'good.csv', ...PARAMS, '--algorithm', 'sequential', '--adapter', 'software'],
      '--adapter = "software"; expected an algorithm with the backend gpu (these have: grid-bfs',
    ],
    ['raw floats without dim', ['cluster', 'raw.f32', ...PARAMS], '--dim = (not given); expected the coordinates'],
    ['another dim than the file has', ['cluster', 'good.csv', ...PARAMS, '--dim', '3'], 'expected --dim 3\n'],
    ['columns of raw floats', ['cluster', 'raw.f32', ...PARAMS, '--columns', 'x'], '--columns = "x"; expected no col'],
    ['a dataset of a CSV file', ['cluster', 'good.csv', ...PARAMS, '--dataset', 'a'], '--dataset = "a"; expected no d'],
    [
      'an option without its value',
      ['cluster', 'good.csv', ...PARAMS, '--algorithm', 'pds', '--option', 'index'],
      '--option = "index"; expected name=value, such as index=none',
    ],
    [
      'an option that the variant lacks',
      ['cluster', 'good.csv', ...PARAMS, '--algorithm', 'pds', '--option', 'chains=3'],
      '--option = "chains"; expected one of index, union, partition, pointsPerChunk for pds',
    ],
    [
      'an option that the backend lacks',
      ['cluster', 'good.csv', ...PARAMS, '--algorithm', 'pds', '--backend', 'sequential', '--option', 'union=lock'],
      '--option = "union"; expected one of index for pds on sequential',
    ],
    [
      'a wrong value of an option',
      ['cluster', 'good.csv', ...PARAMS, '--algorithm', 'pds', '--option', 'pointsPerChunk=0'],
      '--option pointsPerChunk = 0; expected an integer from 1 to 2147483647, or auto',
    ],
    [
      'a wrong index',
      ['cluster', 'good.csv', ...PARAMS, '--algorithm', 'sequential', '--index', 'tree'],
      /--index = "tree"; expected one of auto, grid, .*none\n$/,
    ],
    [
      'an index without an algorithm',
      ['cluster', 'good.csv', ...PARAMS, '--index', 'none'],
      '--algorithm = "auto"; expected the name of an algorithm with the options index',
    ],
    [
      'an option twice',
      ['cluster', 'good.csv', ...PARAMS, '--algorithm', 'pds', '--option', 'index=none', '--option', 'index=grid'],
      '--option = "index=grid"; expected each name once',
    ],
    [
      'an index twice',
      ['cluster', 'good.csv', ...PARAMS, '--algorithm', 'pds', '--option', 'index=none', '--index', 'grid'],
      '--index = "grid"; expected no --option index beside it',
    ],
    [
      'a backend that the variant lacks',
      ['cluster', 'good.csv', ...PARAMS, '--algorithm', 'sequential', '--backend', 'gpu'],
      '--backend = "gpu"; expected one of auto, sequential for sequential',
    ],
    ['a wrong precision', ['cluster', 'good.csv', '--precision', 'half'], '--precision = "half"; expected one of sour'],
    ['a wrong key in SPEC', ['generate', 'moons:m=5', '--out', 'a.npy'], 'key in SPEC = "m"; expected one of n, dim'],
    ['an empty input', ['cluster', '', ...PARAMS], 'INPUT = ""; expected a file of points'],
    ['no topic', ['list'], 'TOPIC = (not given); expected a value; see --help'],
    ['a wrong topic', ['list', 'books'], 'TOPIC = "books"; expected one of algorithms, datasets'],
    [
      'a file as folder',
      ['cluster', 'good.csv', ...PARAMS, '--out', 'good.csv/a.npy'],
      /a\.npy"; expected a file in a folder/,
    ],
    ['a folder as input', ['cluster', '.', ...PARAMS], '.: is a folder; expected a data file'],
    [
      'a missing file without an extension',
      ['cluster', 'missing', ...PARAMS],
      /^epsball: missing: cannot be read \(ENOENT/,
    ],
    ['a wrong dataset', ['generate', 'books', '--out', 'a.npy'], /SPEC = "books".*milanesi/],
    [
      'a wrong extension of points',
      ['generate', 'uniform:n=2000000000', '--out', 'a.docx'],
      '--out = "a.docx"; expected a file that ends in one of .npy .csv',
    ],
    ['generate without a file', ['generate', 'moons'], '--out = (not given); expected a file to write'],
  ];
  // Each starts a process.
  const some = shareOf(misuses, {of: 'misuse', nameOf: ([name]) => name, familyOf: ([, [command]]) => command});
  it.for(some)('%s', async ([, args, message]) => {
    const {code, stdout, stderr} = await runMain(args, {cwd: folder});
    expect(stderr).toMatch(/^epsball: [^\n]+\n$/);
    if (typeof message === 'string') expect(stderr).toContain(message);
    else expect(stderr).toMatch(message);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  it('help: prints the help of a command', async () => {
    const {code, stdout} = await runMain(['help', 'cluster']);
    expect(stdout).toMatch(/^Usage: epsball cluster/);
    expect(code).toBe(0);
  });
});
