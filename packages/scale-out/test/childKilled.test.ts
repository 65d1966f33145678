import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, readFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {blobs, dbscanOracle} from '@epsball/conformance';
import {writePoints} from '@epsball/datasets';
import {expect, it, onTestFinished} from 'vitest';
import {guardChildPool, type Child, type ChildPool} from '../src/bullmq/guardChildPool.ts';
import {submitRun} from '../src/bullmq/index.ts';
import {createRun} from '../src/index.ts';
import {collect, temporaryFolder} from './outOfCore.ts';
import {HAS_REDIS, isAlive, TestRedis, TestWorker, until} from './services.ts';

/** Hundredths of a second of a process that a processor took. */
function ticksOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[11]);
}

const folder = temporaryFolder();
const params = {eps: 0.02, minPts: 5};
const points = blobs('float64', 2, 600, {seed: 4, clusters: 9, sigma: 0.03});

it.skipIf(!HAS_REDIS)('a task whose child process is killed while it starts runs again', async () => {
  const redis = await TestRedis.start(mkdtempSync(join(tmpdir(), 'epsball-redis-')));
  const worker = new TestWorker(redis.url, 2000);
  onTestFinished(async () => {
    await worker.stop();
    await redis.stop();
  });
  const input = join(folder, 'points.npy');
  await writePoints(input, points);
  const run = await createRun({...params, input, work: folder, name: 'killed', concurrency: 1});
  const done = submitRun(redis.url, run);
  // It has computed a little: it was told what to load, and has not loaded it.
  await until(() => worker.children().some((pid) => ticksOf(pid) > 3), 'a child process', Infinity);
  for (const pid of worker.children()) process.kill(pid, 'SIGKILL');
  await done;
  expect(await collect(run)).toEqual(dbscanOracle(points, params));
});

it('a task whose child process is killed before it gets the task does not end the worker', async () => {
  class KilledChild implements Child {
    sent = 0;
    async send(): Promise<never> {
      this.sent++;
      throw new Error('Channel closed');
    }
  }
  const child = new KilledChild();
  const pool: ChildPool = {retain: async () => child, remove: () => undefined};
  guardChildPool(pool);
  for (let use = 0; use < 3; use++) await (await pool.retain('file')).send({});
  expect(child.sent).toBe(3);
});

it('a child process ends when its worker has died, though it cannot say that its task failed', async () => {
  const execArgv = ['--conditions=@epsball/source', '--disable-warning=ExperimentalWarning'];
  const orphan = JSON.stringify([join(import.meta.dirname, 'orphanProcess.ts'), [], {execArgv}]);
  const worker = spawn(process.execPath, ['-e', `require('node:child_process').fork(...${orphan})`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pid = Number(await once(worker.stdout, 'data'));
  expect(isAlive(pid)).toBe(true);
  worker.kill('SIGKILL');
  await until(() => !isAlive(pid), 'the end of the child', Infinity);
});
