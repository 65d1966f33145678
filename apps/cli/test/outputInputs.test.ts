import {spawnSync} from 'node:child_process';
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {writePoints} from '@epsball/datasets';
import {BIN, runEpsball} from './runEpsball.ts';
import {runMain} from './runMain.ts';

const DBSCAN = ['--eps', '0.2', '--min-pts', '3'];
const HDBSCAN = ['--min-cluster-size', '5'];

let folder: string;

function at(name: string): string {
  return join(folder, name);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-inputs-'));
  await runMain(['generate', 'moons:n=200', '--out', at('in.csv')]);
});

afterAll(() => rmSync(folder, {recursive: true}));

describe('an input', () => {
  it.each<[string, string[]]>([
    ['p.npy', ['--out', 'p.npy']],
    ['p.npy', ['--work', 'w', '--out', 'p.npy']],
    ['p.npy', ['--work', 'w', '--out', './linked/p.npy']],
    ['*.npy', ['--work', 'w', '--out', 'p.npy']],
    ['-', ['--out', 'stdin.csv']],
    ['-', ['--plot', 'stdin.svg']],
  ])('%s stays with %j', async (input, more) => {
    const home = mkdtempSync(at('home-'));
    await writePoints(join(home, 'p.npy'), {coords: Float64Array.of(0, 0, 1, 0, 50, 1), dim: 2});
    symlinkSync('.', join(home, 'linked'));
    writeFileSync(join(home, 'stdin.csv'), 'x,y\n0,0\n1,0\n50,1\n');
    linkSync(join(home, 'stdin.csv'), join(home, 'stdin.svg'));
    const before = ['p.npy', 'stdin.csv'].map((file) => readFileSync(join(home, file)));
    const command = more.includes('--work') ? ['scale', 'run'] : ['cluster'];
    const stdin = openSync(join(home, 'stdin.csv'), 'r');
    const {status, stderr} = spawnSync(process.execPath, [BIN, ...command, input, ...DBSCAN, ...more], {
      cwd: home,
      stdio: [input === '-' ? stdin : 'ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    });
    closeSync(stdin);
    expect(stderr).toMatch(/^epsball: --[a-z]+ = "[^"]*"; expected another file than the input[^\n]*\n$/);
    expect(status).toBe(2);
    expect(['p.npy', 'stdin.csv'].map((file) => readFileSync(join(home, file)))).toEqual(before);
  });

  it('in a folder of parts stays', async () => {
    const home = mkdtempSync(at('parts-'));
    mkdirSync(join(home, 'parts'));
    await runMain(['generate', 'moons:n=100', '--out', join(home, 'parts/part-00000.parquet')]);
    const before = readFileSync(join(home, 'parts/part-00000.parquet'));
    symlinkSync('parts', join(home, 'linked'));
    for (const out of ['parts', 'linked']) {
      const args = ['scale', 'run', 'parts/*.parquet', ...DBSCAN, '--work', 'w', '--out', out];
      const {code, stderr} = await runEpsball(args, {cwd: home});
      expect(stderr).toMatch(/^epsball: --out = "[^"]*"; expected [^\n]*input[^\n]*\n$/);
      expect(code).toBe(2);
    }
    expect(readFileSync(join(home, 'parts/part-00000.parquet')).equals(before)).toBe(true);
    expect(readdirSync(join(home, 'parts'))).toEqual(['part-00000.parquet']);
  });
});

describe('two outputs', () => {
  it.each([
    ['the same path', () => undefined, 'a.svg', 'a.svg'],
    ['a link to the other', () => symlinkSync('a.svg', at('b.svg')), 'a.svg', 'b.svg'],
  ])('are two files: %s', async (_, prepare, plot, tree) => {
    prepare();
    const {code, stderr} = await runMain(['hdbscan', at('in.csv'), ...HDBSCAN, '--plot', at(plot), '--tree', at(tree)]);
    expect(stderr).toBe(`epsball: --tree = "${at(tree)}"; expected another file than --plot\n`);
    expect(code).toBe(2);
    expect(existsSync(at('a.svg'))).toBe(false);
  });
});
