import {spawn, spawnSync, type ChildProcess} from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {afterAll, beforeAll, describe, expect, it, onTestFinished} from 'vitest';
import {runEpsball, signalWhen, type Ended, type RunOptions} from './runEpsball.ts';

// Each error that gives advice, and the command that follows it.

let folder: string;
let expected: Buffer;
const PARAMETERS = ['--eps', '0.05', '--min-pts', '5'];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-advice-'));
  await run(['generate', 'moons:n=3000', '--out', 'a.parquet']);
  await run(['generate', 'moons:n=3000', '--out', 'a.csv']);
  await run(['cluster', 'a.parquet', ...PARAMETERS, '--out', 'expected.npy']);
  expected = readFileSync(join(folder, 'expected.npy'));
});

afterAll(() => rmSync(folder, {recursive: true}));

function run(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return runEpsball(args, {cwd: folder, ...options});
}

function cluster(input: string, ...args: readonly string[]): Promise<Ended> {
  return run(['scale', 'run', input, ...PARAMETERS, '--work', 'work', ...args]);
}

/** One line of an error, without the name of the command. */
function lineOf({code, stderr}: Ended, expectedCode: number): string {
  const lines = stderr.trim().split('\n');
  expect([code, lines.length], stderr).toEqual([expectedCode, 1]);
  return lines[0].replace(/^epsball: /, '');
}

/** Follows "--run NAME with the same --work continues", and expects the labels. */
async function expectContinued(line: string, input: string, ...args: readonly string[]): Promise<void> {
  const [, name] = /; --run (\S+) with the same --work continues$/.exec(line) ?? [];
  expect(name, line).toBeDefined();
  await expectLabels(input, '--run', name, ...args);
}

async function expectLabels(input: string, ...args: readonly string[]): Promise<void> {
  const {code, stderr} = await cluster(input, '--out', 'labels.npy', ...args);
  expect([code, stderr]).toEqual([0, '']);
  expect(readFileSync(join(folder, 'labels.npy')).equals(expected)).toBe(true);
  rmSync(join(folder, 'labels.npy'));
}

describe('the advice works', () => {
  it('after a signal', async () => {
    const work = join(folder, 'work');
    const isTime = (): boolean =>
      existsSync(work) && readdirSync(work, {recursive: true}).some((name) => /done/.test(String(name)));
    const ended = await run(['scale', 'run', 'a.csv', ...PARAMETERS, '--work', 'work'], {
      whenStarted: (child) => signalWhen(child, 'SIGINT', isTime),
    });
    await expectContinued(lineOf(ended, 130), 'a.csv');
  });

  it('after an input changed: another name, or the removal of the folder', async () => {
    writeFileSync(join(folder, 'changing.csv'), 'x,y\n0,0\n');
    expect((await cluster('changing.csv', '--run', 'changed')).code).toBe(0);
    writeFileSync(join(folder, 'changing.csv'), readFileSync(join(folder, 'a.csv')));
    const line = lineOf(await cluster('changing.csv', '--run', 'changed'), 1);
    const place = join(folder, 'work/changed');
    expect(line).toBe(
      `run changed exists with another content of ${join(folder, 'changing.csv')}; choose another name (--run), or remove ${place}`,
    );
    await expectLabels('changing.csv', '--run', 'changed-2');
    rmSync(place, {recursive: true});
    await expectLabels('changing.csv', '--run', 'changed');
  });

  it('after a tile that does not fit: more memory, or fewer tasks, in a run of another name', async () => {
    const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (1200000, 1), }`;
    const bytes = Buffer.alloc(128 + 4 * 1_200_000);
    bytes.write('\x93NUMPY\x01\x00\x76\x00', 'latin1');
    bytes.write(`${header.padEnd(117)}\n`, 10, 'latin1');
    writeFileSync(join(folder, 'heavy.npy'), bytes);
    const line = lineOf(await cluster('heavy.npy', '--run', 'heavy', '--memory', '128MB', '--concurrency', '2'), 1);
    expect(line).toMatch(
      /^tile 0, .* has 1200000 points .*; give more memory \(--memory\), or use fewer tasks at a time \(--concurrency\), in a run of another name \(--run\)$/,
    );
    const fewer = await cluster('heavy.npy', '--run', 'heavy-2', '--memory', '128MB', '--concurrency', '1');
    expect([fewer.code, fewer.stderr]).toEqual([0, '']);
    const more = await cluster('heavy.npy', '--run', 'heavy-3', '--memory', '256MB', '--concurrency', '2');
    expect([more.code, more.stderr]).toEqual([0, '']);
  });

  it('after run.json was cut: its removal', async () => {
    await expectLabels('a.csv', '--run', 'cut');
    truncateSync(join(folder, 'work/cut/run.json'), 40);
    const line = lineOf(await cluster('a.csv', '--run', 'cut'), 1);
    const [, path = ''] =
      /^(\S+) is cut off; remove this file: the call that created the run then continues it$/.exec(line) ?? [];
    rmSync(path);
    await expectLabels('a.csv', '--run', 'cut');
  });

  it('after a run of another version: another name', async () => {
    mkdirSync(join(folder, 'work/old'), {recursive: true});
    writeFileSync(join(folder, 'work/old/run.json'), '{"format":1,"name":"old","params":{}}');
    const line = lineOf(await cluster('a.csv', '--run', 'old'), 1);
    expect(line).toBe(
      'run old has format 1; expected 2: run workers and client of one version, or begin a run of another name (--run)',
    );
    await expectLabels('a.csv', '--run', 'new');
  });

  it('after a result that was damaged: nothing has to be done', async () => {
    await expectLabels('a.csv', '--run', 'damaged', '--memory', '64MB');
    const data = join(folder, 'work/damaged/data/gather-0');
    for (const name of readdirSync(data)) truncateSync(join(data, name), 100);
    await expectLabels('a.csv', '--run', 'damaged', '--memory', '64MB');
  });

  it('after too little memory for the tasks', async () => {
    const line = lineOf(await cluster('a.csv', '--memory', '64MB', '--concurrency', '2'), 2);
    const [, least = ''] = /expected at least (\S+):/.exec(line) ?? [];
    await expectLabels('a.csv', '--memory', least, '--concurrency', '2');
  });

  it('after a work folder that is a file, or in /proc', async () => {
    for (const work of ['a.csv', '/proc/epsball/work', '/dev/null/x']) {
      const ended = await run(['scale', 'run', 'a.csv', ...PARAMETERS, '--work', work]);
      expect(lineOf(ended, 1)).toMatch(/(a.csv|\/proc\/epsball\/work|\/dev\/null\/x)\/run-\w+\/run.json cannot be /);
    }
  });
});

/** Mounting takes the rights of an administrator. Without them, the test is reported as skipped. */
function mountFullDisk(path: string): boolean {
  mkdirSync(path);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8k', 'tmpfs', path]).status !== 0) return false;
  spawnSync('dd', ['if=/dev/zero', `of=${join(path, 'filler')}`, 'bs=4096']);
  return true;
}

describe('a disk of the output that is full', () => {
  it.for([['labels.npy'], ['labels']])('is named with %s, and the run continues elsewhere', async ([out], {skip}) => {
    const disk = join(folder, `disk-of-${out}`);
    if (!mountFullDisk(disk)) skip();
    onTestFinished(() => void spawnSync('umount', [disk]));
    const line = lineOf(await cluster('a.csv', '--out', join(disk, out)), 1);
    expect(line).toContain(join(disk, out));
    expect(line).toMatch(/cannot be written \(.*(full|ENOSPC)/);
    await expectContinued(line, 'a.csv');
  });
});

describe('on workers, the advice works', () => {
  let redis: ChildProcess;
  let url: string;

  beforeAll(async () => {
    const port = await freePort();
    url = `redis://127.0.0.1:${port}`;
    redis = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''], {
      stdio: 'ignore',
    });
    while (spawnSync('redis-cli', ['-p', String(port), 'PING'], {encoding: 'utf8'}).stdout.trim() !== 'PONG')
      await sleep(20);
  });
  afterAll(() => void redis.kill('SIGKILL'));

  /** Starts a worker, and ends it after the test. */
  function startWorker(): void {
    const stop = new AbortController();
    const ended = run(['scale', 'worker', url], {
      whenStarted: (child) => stop.signal.addEventListener('abort', () => child.kill('SIGKILL')),
    });
    onTestFinished(async () => {
      stop.abort();
      await ended;
    });
  }

  /** Does something when the run waits for a worker. */
  function whenSubmitted(name: string, act: (child: ChildProcess) => void): RunOptions {
    return {
      whenStarted: (child) => {
        const timer = setInterval(() => {
          const {stdout} = spawnSync('redis-cli', ['-u', url, 'EXISTS', `bull:epsball-runs:${name}`], {
            encoding: 'utf8',
          });
          if (stdout.trim() !== '1') return;
          clearInterval(timer);
          act(child);
        }, 50);
        child.on('exit', () => clearInterval(timer));
      },
    };
  }

  it('after a signal', async () => {
    const args = ['scale', 'run', 'a.csv', ...PARAMETERS, '--work', 'work', '--redis', url, '--run', 'signal'];
    const ended = await run(
      args,
      whenSubmitted('signal', (child) => child.kill('SIGTERM')),
    );
    startWorker();
    await expectContinued(lineOf(ended, 143), 'a.csv', '--redis', url);
  });

  it('after a cancel', async () => {
    const args = ['scale', 'run', 'a.csv', ...PARAMETERS, '--work', 'work', '--redis', url, '--run', 'cancelled'];
    const cancel = whenSubmitted('cancelled', () => void run(['scale', 'runs', url, '--cancel', 'cancelled']));
    const running = run(args, cancel);
    await until(() => existsSync(join(folder, 'work/cancelled/cancelled')));
    startWorker();
    await expectContinued(lineOf(await running, 1), 'a.csv', '--redis', url);
  });

  it('after an input changed: another name', async () => {
    writeFileSync(join(folder, 'c5.csv'), 'x,y\n0,0\n');
    const args = ['scale', 'run', 'c5.csv', ...PARAMETERS, '--work', 'work', '--redis', url, '--run', 'c5'];
    const change = whenSubmitted('c5', () => {
      writeFileSync(join(folder, 'c5.csv'), readFileSync(join(folder, 'a.csv')));
      startWorker();
    });
    const line = lineOf(await run(args, change), 1);
    expect(line).toBe(
      `run c5 failed: ${join(folder, 'c5.csv')} changed since the run began; start a run of another name (--run)`,
    );
    await expectLabels('c5.csv', '--redis', url, '--run', 'c6');
  });
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(20);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

it.skipIf(process.env.EPSBALL_ADAPTER !== 'system-software')('of points that a GPU cannot hold', async () => {
  // Lavapipe binds 128 MiB: the points, but not the words of their cells.
  const rows = ['--eps', '1e-6', '--min-pts', '5', '--backend', 'gpu', '--out', 'labels.npy'];
  await run(['generate', 'uniform:n=16777216,dim=2,seed=1', '--out', 'many.npy']);
  const failed = await run(['cluster', 'many.npy', ...rows]);
  const line = failed.stderr.trim().split('\n').at(-1) ?? '';
  expect([failed.code, line]).toEqual([1, expect.stringMatching(/; --gpus 1 clusters them in tiles$/)]);
  const done = await run(['cluster', 'many.npy', ...rows, '--gpus', '1', '--json']);
  expect(JSON.parse(done.stdout)).toMatchObject({points: 2 ** 24, counters: {gpus: 1, tiles: 2}});
});
