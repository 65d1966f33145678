import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {runEpsball, type Ended} from './runEpsball.ts';

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-work-'));
  await run('generate', 'moons:n=3000', '--out', 'a.parquet');
  await run('generate', 'moons:n=3000', '--out', 'a.csv');
});

afterAll(() => rmSync(folder, {recursive: true}));

function run(...args: readonly string[]): Promise<Ended> {
  return runEpsball(args, {cwd: folder});
}

function cluster(...args: readonly string[]): Promise<Ended> {
  return run('scale', 'run', 'a.parquet', '--eps', '0.05', '--min-pts', '5', ...args);
}

describe('scale run', () => {
  it.for(['a.parquet', 'a.csv'])('writes the labels of cluster, from %s', async (input) => {
    const core = await run('cluster', input, '--eps', '0.05', '--min-pts', '5', '--out', 'core.npy');
    expect([core.code, core.stderr]).toEqual([0, '']);
    const work = ['--work', `work-${input}`, '--memory', '64MB', '--out', 'work.npy'];
    const {code, stderr} = await run('scale', 'run', input, '--eps', '0.05', '--min-pts', '5', ...work);
    expect([code, stderr]).toEqual([0, '']);
    expect(readFileSync(join(folder, 'work.npy'))).toEqual(readFileSync(join(folder, 'core.npy')));
  });

  it('writes a file for each tile with --order tile', async () => {
    const {code, stderr} = await cluster(
      '--work',
      'tiles',
      '--order',
      'tile',
      '--concurrency',
      '2',
      '--out',
      'by-tile',
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(existsSync(join(folder, 'by-tile/part-00001.parquet'))).toBe(true);
  });

  it('refuses a folder for labels that has the input, or other files, before the run', async () => {
    mkdirSync(join(folder, 'parts'));
    await run('generate', 'moons:n=3000', '--out', 'parts/part-00000.parquet');
    const input = readFileSync(join(folder, 'parts/part-00000.parquet'));
    const flags = ['--eps', '0.05', '--min-pts', '5', '--work', 'guarded', '--out', 'parts'];
    const {code, stderr} = await run('scale', 'run', 'parts/part-*.parquet', ...flags);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^epsball: --out = "parts"; .* without the input .*\n$/)]);
    expect(readFileSync(join(folder, 'parts/part-00000.parquet')).equals(input)).toBe(true);
    writeFileSync(join(folder, 'parts/notes.txt'), 'own');
    expect((await cluster(...flags.slice(4))).stderr).toMatch(/^epsball: --out = "parts"; .*; it has notes.txt\n$/);
  });

  it('continues a run by its name, and refuses it with another eps', async () => {
    const first = await cluster('--work', 'named', '--run', 'one', '--json');
    expect(JSON.parse(first.stdout)).toMatchObject({run: 'one', rowCount: 3000});
    const again = await cluster('--work', 'named', '--run', 'one', '--out', 'labels');
    expect(again.code).toBe(0);
    expect(existsSync(join(folder, 'labels/part-00000.parquet'))).toBe(true);
    const other = await run(
      'scale',
      'run',
      'a.parquet',
      '--eps',
      '0.1',
      '--min-pts',
      '5',
      '--work',
      'named',
      '--run',
      'one',
    );
    expect(other.code).toBe(1);
    expect(other.stderr).toBe(
      `epsball: run one exists with eps = 0.05, not 0.1; choose another name (--run), or remove ${join(folder, 'named/one')}\n`,
    );
  });

  it.for([
    [['--memory', '1GB'], '--work = (not given)'],
    [['--order', 'tile'], '--work = (not given)'],
    [['--work', 'w', '--order', 'rows'], '--order = "rows"'],
    [['--work', 'w', '--order', 'tile', '--out', 'a.npy'], '--out = "a.npy"; expected a folder'],
    [['--work', 'w', '--memory', '63MB'], '--memory = "63MB"; expected at least 64MB'],
    [['--work', 'w', '--plot', 'a.svg'], 'option = "--plot"; expected one that --help lists'],
    [['--work', 'w', '--verify'], 'option = "--verify"'],
    [['--work', 'w', '--metric', 'manhattan'], 'option = "--metric"'],
    [['--work', 'w', '--dataset', 'a'], 'option = "--dataset"'],
    [['--work', 'w', '--index', 'none'], 'option = "--index"'],
    [['--work', 'w', '--weight-column', 'x'], 'option = "--weight-column"'],
    [
      ['--work', 'w', '--memory', '64MB', '--concurrency', '2'],
      '--memory = "64MB"; expected at least 128MB: 64MB for each of 2 tasks at a time (--concurrency)',
    ],
    [['--work', 'w', '--workers', '3'], '--redis = (not given); expected the URL of a Redis, since --workers'],
    [['--work', 'ftp://host/x'], '--work = "ftp://host/x"'],
    [['--work', 'w', '--redis', 'http://u:secret@h'], '--redis = "http://h"'],
  ] as const)('exits with 2 for %j', async ([args, message]) => {
    const {code, stderr} = await cluster(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('names the line of a value that is not a number', async () => {
    writeFileSync(join(folder, 'bad.csv'), 'x,y\n1,2\n3,nope\n');
    const {code, stderr} = await run('scale', 'run', 'bad.csv', '--eps', '1', '--min-pts', '2', '--work', 'bad');
    expect(code).toBe(2);
    expect(stderr).toContain('bad.csv, line 3: y = "nope"');
  });
});

describe('worker and runs', () => {
  it.for([['worker', 'http://host'], ['runs', 'nonsense'], ['worker']])('refuse %j', async (args) => {
    expect((await run('scale', ...args)).code).toBe(2);
  });

  it.for(['redis://:sec/ret@h:1', 'redis://:sec@ret@h:x', 'redis://u:1/ret@h', 'redis://u:1#ret@h', ':sec/ret@h'])(
    'keep the password of %s out of the error',
    async (url) => {
      const {code, stderr} = await run('scale', 'runs', url);
      expect(code).toBe(2);
      expect(stderr).toMatch(/^epsball: REDIS = "(redis:\/\/)?h(:.)?"; expected redis:/);
    },
  );

  it.for(['worker', 'run'])('%s says that Redis cannot be reached, and the first signal ends it', async (command) => {
    const url = 'redis://:se@cret@127.0.0.1:1';
    const work = ['a.parquet', '--eps', '0.05', '--min-pts', '5', '--work', 'none', '--run', 'r', '--redis', url];
    const {code, stderr} = await runEpsball(['scale', command, ...(command === 'worker' ? [url] : work)], {
      cwd: folder,
      whenStarted: (child) => child.stderr?.once('data', () => child.kill('SIGTERM')),
    });
    expect(code).toBe(143);
    const advice = command === 'worker' ? '' : '; --run r with the same --work continues';
    expect(stderr).toMatch(/^redis:\/\/127.0.0.1:1 cannot be reached: .*ECONNREFUSED.*; trying again\n/);
    expect(stderr.split('\n').slice(1)).toEqual([`epsball: terminated${advice}`, '']);
  });
});
