import {spawnSync, type SpawnSyncReturns} from 'node:child_process';
import {
  existsSync,
  linkSync,
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
import {readPoints} from '@epsball/datasets';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {clusterReportSchema} from '../src/cluster/clusterReport.ts';
import {endingOf} from '../src/commands/bench.ts';
import {writeReport} from '../src/report/writeReport.ts';
import {milanesiCells, resultFile} from './reportFixture.ts';
import {BIN, runEpsball} from './runEpsball.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-line-'));
  writeFileSync(join(folder, 'good.csv'), 'x,y\n0,0\n1,0\n50,0.1\n');
});

afterAll(() => rmSync(folder, {recursive: true}));

const GOOD = ['cluster', 'good.csv', '--eps', '1', '--min-pts', '2'];

/** Hides the system's drivers, also on a machine with a GPU. */
const NO_HARDWARE = {VK_DRIVER_FILES: '/nonexistent.json', VK_ICD_FILENAMES: '/nonexistent.json'};

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

describe('epsball bench without the requested adapter', () => {
  it.each<[string, string[], Record<string, string>]>([
    ['--adapter', ['--adapter', 'hardware'], {}],
    ['EPSBALL_ADAPTER', [], {EPSBALL_ADAPTER: 'hardware'}],
  ])('by %s, fails before any cell runs', async (by, flags, env) => {
    const outDir = join(folder, `forced-${by}`);
    const {code, stdout, stderr} = await runEpsball(['bench', 'milanesi', '--out', outDir, ...flags], {
      env: {...NO_HARDWARE, ...env},
    });
    expect(stderr).toMatch(new RegExp(`^epsball: ${by} = hardware: no hardware WebGPU adapter [^\\n]*\\n$`));
    expect(stdout).toBe('');
    expect(code).toBe(1);
    expect(readdirSync(join(outDir, 'results'))).toEqual([]);
  });

  it('ends with one line that says why no GPU cell ran, and what failed', () => {
    expect(endingOf(null, [])).toBe('');
    expect(endingOf('no Vulkan', [])).toBe('no GPU cell ran: no Vulkan');
    expect(endingOf('no Vulkan', ['a', 'b'])).toBe('failures = 2; expected none: a; b; no GPU cell ran: no Vulkan');
  });

  it('refuses an environment variable that is not a kind of adapter', async () => {
    const {code, stderr} = await runEpsball(['bench', '--out', folder], {env: {EPSBALL_ADAPTER: 'fast'}});
    expect(stderr).toMatch(/^epsball: EPSBALL_ADAPTER = "fast"; expected one of auto, hardware, [^\n]*\n$/);
    expect(code).toBe(2);
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

describe('writeReport, aborted', () => {
  it('rejects with the reason and leaves no file', async () => {
    const file = join(folder, 'result.json');
    writeFileSync(file, JSON.stringify(resultFile(milanesiCells())));
    const outDir = join(folder, 'aborted-report');
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(writeReport({results: [file], compare: false, outDir, signal})).rejects.toThrow('enough');
    expect(existsSync(outDir)).toBe(false);
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

  it.runIf(hasFull).each(['list datasets', '--help', '--version', `${GOOD.join(' ')} --json`])(
    'that is full causes one line and exit code 1: %s',
    (command) => {
      const {status, stderr} = shell(`epsball ${command} > /dev/full`);
      expect(stderr).toMatch(/^epsball: standard output cannot be written \([^\n]*ENOSPC[^\n]*\)\n$/);
      expect(status).toBe(1);
    },
  );

  it('that closes early is not a failure', () => {
    const {stdout, stderr} = shell('epsball list datasets | head -1');
    expect(stdout).toMatch(/^ID /);
    expect(stderr).toBe('');
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
