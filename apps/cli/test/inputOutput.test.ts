import {spawnSync} from 'node:child_process';
import {chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {clusterReportSchema} from '../src/cluster/clusterReportSchema.ts';
import {runEpsball, type Ended, type RunOptions} from './runEpsball.ts';

let folder: string;

const PARAMS = ['--eps', '1', '--min-pts', '2'];
const CSV = 'x,y\n0,0\n1,0\n50,0.1\n';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-files-'));
  writeFileSync(join(folder, 'good.csv'), CSV);
  symlinkSync('/dev/null', join(folder, 'device.csv'));
  symlinkSync('/dev/null', join(folder, 'device.svg'));
  symlinkSync('/dev/null', join(folder, 'device.png'));
  symlinkSync('/dev/null', join(folder, 'device.npy'));
  spawnSync('mkfifo', [join(folder, 'pipe.csv'), join(folder, 'pipe')]);
});

afterAll(() => rmSync(folder, {recursive: true}));

function run(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return runEpsball(args, {cwd: folder, ...options});
}

describe('the input -', () => {
  it('is CSV from standard input', async () => {
    const {code, stdout, stderr} = await run(['cluster', '-', ...PARAMS, '--out', 'piped.csv'], {input: {text: CSV}});
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^points +3 × 2 float64 \(standard input\)$/m);
    expect(code).toBe(0);
    expect(readFileSync(join(folder, 'piped.csv'), 'utf8')).toBe('index,label,core\n0,0,1\n1,0,1\n2,-1,0\n');
  });

  it('takes columns, and is a dash in JSON', async () => {
    const args = ['cluster', '-', ...PARAMS, '--columns', 'y,x', '--precision', 'float32', '--json'];
    const {stdout} = await run(args, {input: {text: CSV}});
    const report = clusterReportSchema.parse(JSON.parse(stdout));
    expect(report).toMatchObject({input: '-', columns: ['y', 'x'], precision: 'float32', points: 3});
  });

  it.each<[string, string[], string, string]>([
    ['no row', [], '', 'standard input'],
    ['text', [], 'x,y\n1,a\n', 'standard input, line 2: y = "a"'],
    ['a dataset', ['--dataset', 'a'], CSV, '--dataset = "a"; expected no dataset for standard input, which is CSV'],
    ['another dim', ['--dim', '3'], CSV, 'expected --dim 3'],
  ])('ends with 2 on %s', async (_, more, text, message) => {
    const {code, stdout, stderr} = await run(['cluster', '-', ...PARAMS, ...more], {input: {text}});
    expect(stderr).toMatch(/^epsball: [^\n]+\n$/);
    expect(stderr).toContain(message);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  it('is read until Ctrl-C', async () => {
    const text = `x,y\n${'1,2\n'.repeat(2 ** 17)}`;
    const {code, stdout, stderr} = await run(['cluster', '-', ...PARAMS, '--out', 'never.csv'], {
      input: {text, open: true},
      // More than a pipe holds: the command reads.
      whenStarted: (child) => void child.stdin?.once('drain', () => child.kill('SIGINT')),
    });
    expect(stderr).toBe('epsball: interrupted\n');
    expect(stdout).toBe('');
    expect(code).toBe(130);
    expect(readdirSync(folder)).not.toContain('never.csv');
  });
});

describe('a named pipe as input', () => {
  it.each(['pipe.csv', 'pipe'])('ends with 2 at once and names -: %s', async (name) => {
    const {code, stderr} = await run(['cluster', name, ...PARAMS]);
    expect(stderr).toBe(
      `epsball: ${name}: is a named pipe; expected a regular file, or - to read CSV from standard input\n`,
    );
    expect(code).toBe(2);
  });
});

describe('an output', () => {
  it.each<[string, string[]]>([
    ['device.csv', ['cluster', 'missing.csv', ...PARAMS, '--out', 'device.csv']],
    ['device.svg', ['cluster', 'missing.csv', ...PARAMS, '--plot', 'device.svg']],
    [
      'device.png',
      ['segment', 'missing.png', '--spatial-bandwidth', '1', '--color-bandwidth', '1', '--out', 'device.png'],
    ],
    ['device.npy', ['generate', 'uniform:n=2000000000', '--out', 'device.npy']],
  ])('that cannot be written ends the command before its work: %s', async (name, args) => {
    const {code, stdout, stderr} = await run(args);
    expect(stderr).toBe(`epsball: ${name}: cannot be written (it is a device; expected a regular file)\n`);
    expect(stdout).toBe('');
    expect(code).toBe(1);
  });

  it('keeps the mode of the old file', async () => {
    for (const name of ['private.csv', 'private.svg']) {
      writeFileSync(join(folder, name), 'old');
      chmodSync(join(folder, name), 0o600);
    }
    const {code} = await run(['cluster', 'good.csv', ...PARAMS, '--out', 'private.csv', '--plot', 'private.svg']);
    expect(code).toBe(0);
    for (const name of ['private.csv', 'private.svg']) {
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
      expect(readFileSync(join(folder, name), 'utf8')).not.toBe('old');
    }
  });
});
