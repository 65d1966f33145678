import {spawnSync, type ChildProcess} from 'node:child_process';
import {existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {runEpsball, signalWhen} from './runEpsball.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-signals-'));
});

afterAll(() => rmSync(folder, {recursive: true}));

const SIGNALS: [NodeJS.Signals, number, string][] = [
  ['SIGINT', 130, 'interrupted'],
  ['SIGTERM', 143, 'terminated'],
  ['SIGHUP', 129, 'terminal closed'],
];

describe.each(SIGNALS)('%s', (signal, exitCode, word) => {
  it('ends a writing command and removes its temporary file', async () => {
    const name = `${signal}.csv`;
    const {code, stdout, stderr} = await runEpsball(['generate', 'uniform:n=3000000', '--out', name], {
      cwd: folder,
      whenStarted: (child) => signalWhen(child, signal, () => sizes(folder).some((size) => size > 0)),
    });
    expect(stderr).toBe(`epsball: ${word}\n`);
    expect(stdout).toBe('');
    expect(code).toBe(exitCode);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('Ctrl-C', () => {
  it.each(['.csv', '.json'])('ends a command that writes labels and leaves no part of a file: %s', async (ending) => {
    const name = `labels${ending}`;
    const points = join(folder, 'line.f32');
    if (!existsSync(points))
      writeFileSync(
        points,
        Float32Array.from({length: 2e6}, (_, i) => 10 * i),
      );
    const args = ['cluster', 'line.f32', '--dim', '1', '--eps', '1', '--min-pts', '2', '--algorithm', 'sequential'];
    const {code, stdout, stderr} = await runEpsball([...args, '--out', name], {
      cwd: folder,
      // The first temporary file is empty: it tells that the folder takes files.
      whenStarted: (child) => signalWhen(child, 'SIGINT', () => sizes(folder).some((size) => size > 0)),
    });
    expect(stderr).toBe('epsball: interrupted\n');
    expect(stdout).toBe('');
    expect(code).toBe(130);
    expect(readdirSync(folder)).toEqual(['line.f32']);
  });

  it('ends a long run, which then writes nothing', async () => {
    // All pairs in 5 dimensions: minutes of work.
    const made = await runEpsball(['generate', 'gaussians:n=200000,dim=5', '--out', 'many.npy'], {cwd: folder});
    expect(made.code).toBe(0);
    const allPairs = ['--algorithm', 'sequential', '--index', 'none'];
    const {code, stdout, stderr} = await runEpsball(
      ['cluster', 'many.npy', '--eps', '0.1', '--min-pts', '4', ...allPairs, '--out', 'never.npy'],
      {cwd: folder, whenStarted: (child) => signalWhen(child, 'SIGINT', () => processorSeconds(child) >= 3)},
    );
    expect(stderr).toBe('epsball: interrupted\n');
    expect(stdout).toBe('');
    expect(code).toBe(130);
    expect(readdirSync(folder)).toContain('many.npy');
    expect(readdirSync(folder)).not.toContain('never.npy');
  });
});

it('ends work that holds a thread, which shows how far it is', async () => {
  await runEpsball(['generate', 'uniform:n=20000', '--out', 'rows.npy'], {cwd: folder});
  // Each row takes seconds.
  const rows = Array.from({length: 1000}, (_, row) => row).join(',');
  const cluster = ['cluster', 'rows.npy', '--eps', '0.01', '--min-pts', '2000', '--algorithm', 'sequential'];
  const {code, stdout, stderr} = await runEpsball([...cluster, '--explain', rows], {
    cwd: folder,
    isTerminal: true,
    whenStarted: (child) => {
      let shown = '';
      child.stderr?.on('data', (text: string) => (shown += text));
      signalWhen(child, 'SIGINT', () => /explain +░+ +\d %  \d+ s/.test(shown));
    },
  });
  expect(stderr.split('\r\u001B[2K').at(-1)).toBe('epsball: interrupted\n');
  expect([code, stdout]).toEqual([130, '']);
});

describe('a signal to an out-of-core run', () => {
  it('says how to go on, and the run then goes on', async () => {
    await runEpsball(['generate', 'uniform:n=400000', '--out', 'core.npy'], {cwd: folder});
    const work = ['--work', 'work', '--run', 'night', '--concurrency', '1', '--json'];
    const args = ['scale', 'run', 'core.npy', '--eps', '0.01', '--min-pts', '5', ...work];
    const ended = await runEpsball(args, {
      cwd: folder,
      whenStarted: (child) => signalWhen(child, 'SIGINT', () => existsSync(join(folder, 'work/night/run.json'))),
    });
    expect(ended).toEqual({
      code: 130,
      stdout: '',
      stderr: 'epsball: interrupted; --run night with the same --work continues\n',
    });
    const again = await runEpsball(args, {cwd: folder});
    expect(JSON.parse(again.stdout)).toMatchObject({run: 'night', rowCount: 400_000});
    expect((await runEpsball(args.slice(0, -1), {cwd: folder})).stdout).toMatch(
      /^run night: (1 tile|([2-9]|\d\d+) tiles),/m,
    );
  });
});

/** Sizes of the temporary files in a folder. */
function sizes(path: string): number[] {
  const names = readdirSync(path).filter((name) => name.endsWith('.tmp'));
  return names.map((name) => statSync(join(path, name), {throwIfNoEntry: false})?.size ?? 0);
}

/** Seconds of a processor that a process has used; does not depend on the load of the machine. */
function processorSeconds(child: ChildProcess): number {
  return Number(spawnSync('ps', ['-o', 'cputimes=', '-p', String(child.pid)], {encoding: 'utf8'}).stdout);
}
