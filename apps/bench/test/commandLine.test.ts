import {existsSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync} from 'node:fs';
import {spawnSync} from 'node:child_process';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {endingOf} from '../src/commands/bench.ts';
import {writeReport} from '../src/report/writeReport.ts';
import {milanesiCells, resultFile} from './reportFixture.ts';
import {runEpsball} from './runEpsball.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-bench-line-'));
  writeFileSync(join(folder, 'good.csv'), 'x,y\n0,0\n1,0\n50,0\n');
  writeFileSync(join(folder, 'huge.json'), '');
  truncateSync(join(folder, 'huge.json'), 5e9);
  spawnSync('mkfifo', [join(folder, 'pipe.json')]);
});

afterAll(() => rmSync(folder, {recursive: true}));

/** Hides the system's drivers, also on a machine with a GPU. */
const NO_HARDWARE = {VK_DRIVER_FILES: '/nonexistent.json', VK_ICD_FILENAMES: '/nonexistent.json'};

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

describe('writeReport, aborted', () => {
  it('rejects with the reason and leaves no file', async () => {
    const file = join(folder, 'result.json');
    writeFileSync(file, JSON.stringify(resultFile(milanesiCells())));
    const outDir = join(folder, 'aborted-report');
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(writeReport({results: [file], outDir, signal})).rejects.toThrow('enough');
    expect(existsSync(outDir)).toBe(false);
  });
});

describe('epsball bench, misused', () => {
  it.each<[string, string[], string]>([
    ['a wrong suite', ['bench', 'books'], 'SUITE = "books"; expected names out of real'],
    ['a wrong profile', ['bench', '--profile', 'slow'], '--profile = "slow"; expected one of quick, full'],
    [
      'a missing result',
      ['report', 'missing.json'],
      'RESULT.json = "missing.json"; expected a regular file that exists',
    ],
    ['a folder as result', ['report', '.'], 'RESULT.json = "."; expected a regular file that exists'],
    ['a file as report folder', ['bench', '--out', 'good.csv'], '--out = "good.csv"; expected a folder, not a file'],
    ['a huge result', ['report', 'huge.json'], 'result file = "huge.json"; expected at most 268435456 bytes'],
    ['a named pipe as result', ['report', 'pipe.json'], 'RESULT.json = "pipe.json"; expected a regular file'],
  ])('prints one line with the expectation and ends with 2: %s', async (_, args, message) => {
    const {code, stdout, stderr} = await runEpsball(args, {cwd: folder});
    expect(stderr).toMatch(/^epsball: [^\n]+\n$/);
    expect(stderr).toContain(message);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  it.runIf(existsSync('/proc/self'))('that is a folder which takes no files ends the command at once', async () => {
    for (const out of ['/proc/new', '/proc']) {
      const {code, stdout, stderr} = await runEpsball(['bench', 'milanesi', '--out', out]);
      expect(stderr).toMatch(/^epsball: \/proc\/\S+: cannot be written \(E[A-Z]+: [^\n]*\)\n$/);
      expect(stdout).toBe('');
      expect(code).toBe(1);
    }
  });
});

describe('the commands of @epsball/cli', () => {
  it('are beside those of this package', async () => {
    const {code, stdout} = await runEpsball(['--help']);
    for (const command of ['cluster', 'list', 'bench', 'report'])
      expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
    expect(code).toBe(0);
  });

  it('list the suites, too', async () => {
    const {stdout} = await runEpsball(['list', 'suites']);
    expect(stdout).toMatch(/^milanesi \*/m);
  });
});
