import {spawnSync, type SpawnSyncReturns} from 'node:child_process';
import {existsSync, linkSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {readPoints} from '@epsball/datasets';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {clusterReportSchema} from '../src/cluster/clusterReportSchema.ts';
import {BIN, runEpsball} from './runEpsball.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-line-'));
  writeFileSync(join(folder, 'good.csv'), 'x,y\n0,0\n1,0\n50,0.1\n');
});

afterAll(() => rmSync(folder, {recursive: true}));

const GOOD = ['cluster', 'good.csv', '--eps', '1', '--min-pts', '2'];

describe('the input', () => {
  it.each(['good.csv', './good.csv', 'linked.csv'])('is never an output: %s', async (output) => {
    if (!existsSync(join(folder, 'linked.csv'))) symlinkSync('good.csv', join(folder, 'linked.csv'));
    const before = readFileSync(join(folder, 'good.csv'));
    const {code, stderr} = await runEpsball([...GOOD, '--out', output], {cwd: folder});
    expect(stderr).toBe(`epsball: --out = "${output}"; expected another file than the input\n`);
    expect(code).toBe(2);
    expect(readFileSync(join(folder, 'good.csv'))).toEqual(before);
  });

  it('is never a plot', async () => {
    linkSync(join(folder, 'good.csv'), join(folder, 'good.svg'));
    const {code, stderr} = await runEpsball(['cluster', 'good.svg', ...GOOD.slice(2), '--plot', 'good.svg'], {
      cwd: folder,
    });
    expect(stderr).toBe('epsball: --plot = "good.svg"; expected another file than the input\n');
    expect(code).toBe(2);
  });

  it.each([
    [[], 'float64'],
    [['--precision', 'source'], 'float64'],
    [['--precision', 'float32'], 'float32'],
  ] as const)('is read in the precision of %j', async (flags, precision) => {
    const {stdout} = await runEpsball([...GOOD, ...flags, '--json'], {cwd: folder});
    expect(clusterReportSchema.parse(JSON.parse(stdout)).precision).toBe(precision);
  });
});

describe('epsball generate', () => {
  it('widens float32 points for a .f64 file', async () => {
    const {code} = await runEpsball(['generate', 'moons:n=50', '--out', 'moons.f64'], {cwd: folder});
    expect(code).toBe(0);
    await runEpsball(['generate', 'moons:n=50', '--out', 'moons.f32'], {cwd: folder});
    const wide = await readPoints(join(folder, 'moons.f64'), {dim: 2});
    const single = await readPoints(join(folder, 'moons.f32'), {dim: 2});
    expect(wide.coords).toEqual(Float64Array.from(single.coords));
  });

  it('says how to write float64 points to a .f32 file', async () => {
    const args = ['generate', 'moons:n=50,precision=float64', '--out', 'narrow.f32'];
    const {code, stderr} = await runEpsball(args, {cwd: folder});
    expect(stderr).toContain('--out = "narrow.f32"; expected');
    expect(stderr).toContain('precision=float32 in SPEC');
    expect(code).toBe(2);
  });
});

/** Runs a shell line in which `epsball` is the command. */
function shell(line: string): SpawnSyncReturns<string> {
  return spawnSync('bash', ['-c', `epsball() { "${process.execPath}" "${BIN}" "$@"; }; ${line}`], {
    cwd: folder,
    encoding: 'utf8',
  });
}

describe('standard output', () => {
  const hasFull = existsSync('/dev/full') && statSync('/dev/full').isCharacterDevice();

  const watch = 'watch --eps 1 --min-pts 1 --last 5';

  it
    .runIf(hasFull)
    .each([
      'list datasets',
      '--help',
      '--version',
      `${GOOD.join(' ')} --json`,
      `${GOOD.join(' ')} --out -`,
      `${watch} <<< 0,0`,
    ])('that is full causes one line and exit code 1: %s', (command) => {
    const {status, stderr} = shell(`epsball ${command} > /dev/full`);
    expect(stderr).toMatch(/^epsball: standard output cannot be written \([^\n]*ENOSPC[^\n]*\)\n$/);
    expect(status).toBe(1);
  });

  it('that closes early is not a failure', () => {
    const {stdout, stderr} = shell('epsball list datasets | head -1');
    expect(stdout).toMatch(/^ID /);
    expect(stderr).toBe('');
  });

  it('that closes early ends a command that reads standard input', () => {
    // The loop ends only when nothing reads its lines.
    const lines = '(i=0; while echo "$((i++)),0"; do sleep 0.1; done)';
    const {stdout, stderr} = shell(`epsball ${watch} < <(${lines}) | head -1`);
    expect([stdout, stderr]).toEqual([expect.stringMatching(/^\{"line":1,.*\}\n$/), '']);
  });
});

describe('epsball doctor', () => {
  it('names the environment variable that sets the adapter, not a flag', async () => {
    const {code, stdout} = await runEpsball(['doctor'], {env: {EPSBALL_ADAPTER: 'software'}});
    expect(stdout).not.toContain('--adapter');
    expect(stdout).toMatch(/EPSBALL_ADAPTER=software|would fail/);
    expect(code).toBe(0);
  });
});
