import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {writePoints} from '@epsball/datasets';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi} from 'vitest';
import {listRuns, redactUrl, submitRun} from '../src/bullmq/index.ts';
import {createRun} from '../src/index.ts';
import {temporaryFolder} from './outOfCore.ts';
import {HAS_REDIS, TestRedis, TestWorker} from './services.ts';

const PASSWORD = 'p@ss/w:rd #1';
const folder = temporaryFolder();
let names = 0;

function fileOf(text: string): string {
  const path = join(folder, `password-${names++}`);
  writeFileSync(path, text);
  return path;
}

describe.skipIf(!HAS_REDIS)('the password of Redis', () => {
  let redis: TestRedis;
  /** Without the password. */
  let url: string;

  beforeAll(async () => {
    redis = await TestRedis.start(mkdtempSync(join(tmpdir(), 'epsball-redis-')), {password: PASSWORD});
    url = redactUrl(redis.url);
  });
  afterAll(() => redis.stop());
  beforeEach(() => {
    vi.stubEnv('EPSBALL_REDIS_PASSWORD', '');
    vi.stubEnv('EPSBALL_REDIS_PASSWORD_FILE', '');
  });
  afterEach(() => vi.unstubAllEnvs());

  it('is missing', async () => {
    await expect(listRuns(url)).rejects.toThrow(/NOAUTH/);
  });

  it('is in the environment', async () => {
    vi.stubEnv('EPSBALL_REDIS_PASSWORD', PASSWORD);
    expect(await listRuns(url)).toEqual([]);
    expect(await listRuns(url.replace('//', '//default@'))).toEqual([]);
  });

  it.for(['', '\n', '\r\n'])('is in a file that ends with %j', async (end) => {
    vi.stubEnv('EPSBALL_REDIS_PASSWORD_FILE', fileOf(PASSWORD + end));
    expect(await listRuns(url)).toEqual([]);
  });

  it('is that of the URL, if there are two', async () => {
    vi.stubEnv('EPSBALL_REDIS_PASSWORD', 'other');
    expect(await listRuns(redis.url)).toEqual([]);
    await expect(listRuns(url)).rejects.toThrow(/WRONGPASS/);
  });

  it('is refused in two variables', async () => {
    vi.stubEnv('EPSBALL_REDIS_PASSWORD', PASSWORD);
    vi.stubEnv('EPSBALL_REDIS_PASSWORD_FILE', fileOf(PASSWORD));
    await expect(listRuns(url)).rejects.toThrow(
      /^EPSBALL_REDIS_PASSWORD_FILE = ".*"; expected .*EPSBALL_REDIS_PASSWORD/,
    );
  });

  it('is not read from a pipe, a device, a long file or several lines', async () => {
    const [fifo, zero] = [join(folder, 'fifo'), join(folder, 'zero')];
    execFileSync('mkfifo', [fifo]);
    symlinkSync('/dev/zero', zero);
    const refusals = [
      [fifo, `${fifo}: is a named pipe; expected a file with the password of Redis`],
      [zero, `${zero}: is a device; expected a file with the password of Redis`],
      [join(folder, 'none'), 'none: cannot be read (ENOENT'],
      [fileOf(''), 'is empty; expected a file with the password of Redis'],
      [fileOf('x'.repeat(5000)), 'has 5000 bytes; expected a password of at most 4096'],
      [fileOf(`${PASSWORD}\nsecond\n`), 'has several lines; expected one, the password'],
      [fileOf('\n'), 'has no password'],
    ] as const;
    for (const [path, reason] of refusals) {
      vi.stubEnv('EPSBALL_REDIS_PASSWORD_FILE', path);
      const failure = listRuns(url);
      await expect(failure).rejects.toThrow(reason);
      await expect(failure).rejects.not.toThrow(PASSWORD);
    }
  });

  it('serves a worker, and is hidden from its children', async () => {
    vi.stubEnv('EPSBALL_REDIS_PASSWORD', PASSWORD);
    const input = join(folder, 'points.npy');
    await writePoints(input, {coords: Float64Array.of(0, 0, 0, 1, 1, 0, 9, 9), dim: 2});
    const worker = new TestWorker(url, 2000);
    try {
      const files = await createRun({
        eps: 1,
        minPts: 3,
        input,
        work: join(folder, 'work'),
        name: 'one',
        concurrency: 1,
      });
      await submitRun(url, files);
      const environments = worker.children().map((pid) => readFileSync(`/proc/${pid}/environ`, 'utf8'));
      expect(environments.length).toBeGreaterThan(0);
      expect(environments.filter((text) => text.includes(PASSWORD))).toEqual([]);
      expect(worker.lines.filter((line) => line.includes(PASSWORD))).toEqual([]);
    } finally {
      await worker.stop();
    }
  });
});
