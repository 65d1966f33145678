import {spawn, spawnSync, type ChildProcess} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {runEpsball} from './runEpsball.ts';

/** CI installs it: there, the tests fail without it, and are not skipped. */
const HAS_REDIS = process.env['CI'] === '1' || spawnSync('redis-server', ['--version']).status === 0;
const PASSWORD = 's3cr3t p@ss';

describe.skipIf(!HAS_REDIS)('the Redis of worker and runs', () => {
  let folder: string;
  let port: string;
  let server: ChildProcess;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'epsball-cli-redis-'));
    port = String(await freePort());
    writeFileSync(join(folder, 'password'), `${PASSWORD}\n`);
    const settings = [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, 'save ""', `requirepass "${PASSWORD}"`];
    writeFileSync(join(folder, 'redis.conf'), settings.join('\n'));
    server = spawn('redis-server', [join(folder, 'redis.conf')], {stdio: 'ignore'});
    while (redis('PING') !== 'PONG') await sleep(20);
  });

  afterAll(() => {
    server.kill('SIGKILL');
    rmSync(folder, {recursive: true});
  });

  function redis(...args: readonly string[]): string {
    const env = {...process.env, REDISCLI_AUTH: PASSWORD};
    return spawnSync('redis-cli', ['-p', port, ...args], {env, encoding: 'utf8'}).stdout.trim();
  }

  /** Adds a job as BullMQ stores it. */
  function addRun(id: string, name: string): void {
    redis('HSET', `bull:epsball-runs:${id}`, 'name', 'run', 'data', JSON.stringify({work: '/none', name}));
    redis('HSET', `bull:epsball-runs:${id}`, 'opts', '{}', 'timestamp', '1', 'failedReason', `${name} failed`);
    redis('ZADD', 'bull:epsball-runs:failed', '1', id);
  }

  it.for([{EPSBALL_REDIS_PASSWORD: PASSWORD}, {EPSBALL_REDIS_PASSWORD_FILE: 'password'}] as readonly Record<
    string,
    string
  >[])('takes its password from %j', async (env) => {
    const {code, stdout, stderr} = await runEpsball(['scale', 'runs', `redis://127.0.0.1:${port}`], {cwd: folder, env});
    expect([code, stdout, stderr]).toEqual([0, 'no runs\n', '']);
  });

  it.for([
    [{EPSBALL_REDIS_PASSWORD_FILE: 'none'}, 2, 'epsball: none: cannot be read'],
    [{EPSBALL_REDIS_PASSWORD: 'other'}, 1, 'WRONGPASS'],
  ] as const)('refuses %j', async ([env, code, line]) => {
    const ended = await runEpsball(['scale', 'runs', `redis://127.0.0.1:${port}`], {cwd: folder, env});
    expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(line)]);
    expect(ended.stderr.trim().split('\n')).toHaveLength(1);
  });

  it('shows names and reasons of jobs without control characters', async () => {
    addRun('planted', '\u001B]0;owned\u0007\u001B[2J\u202Ename');
    const env = {EPSBALL_REDIS_PASSWORD: PASSWORD};
    const {code, stdout} = await runEpsball(['scale', 'runs', `redis://127.0.0.1:${port}`], {cwd: folder, env});
    expect(code).toBe(0);
    expect(stdout).toContain(String.raw`\x1b]0;owned\x07\x1b[2J\u202ename  failed`);
    expect(stdout.trimEnd()).not.toMatch(/[\p{Cc}\u202E]/u);
  });
});

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
