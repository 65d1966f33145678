import {mkdtempSync, rmSync, truncateSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {blobs, dbscanOracle} from '@epsball/conformance';
import {writePoints} from '@epsball/datasets';
import {Queue} from 'bullmq';
import {Redis} from 'ioredis';
import {expect, it, onTestFinished} from 'vitest';
import {startWorker, submitRun} from '../src/bullmq/index.ts';
import {createRun, openRun} from '../src/index.ts';
import {collect, temporaryFolder} from './outOfCore.ts';
import {HAS_REDIS, TestRedis} from './services.ts';

const folder = temporaryFolder();
const params = {eps: 0.02, minPts: 5};
const points = blobs('float64', 2, 600, {seed: 4, clusters: 9, sigma: 0.03});

it.skipIf(!HAS_REDIS)('a run that failed is submitted again while another of its tasks is still working', async () => {
  const redis = await TestRedis.start(mkdtempSync(join(tmpdir(), 'epsball-redis-')));
  const worker = await startWorker({redis: redis.url});
  const connection = new Redis(redis.url, {maxRetriesPerRequest: null});
  onTestFinished(async () => {
    connection.disconnect();
    await worker.close(true);
    await redis.stop();
  });
  const input = join(folder, 'points.npy');
  await writePoints(input, points);
  const options = {...params, input, work: folder, name: 'again', concurrency: 1};
  const run = await createRun(options);
  const path = join(folder, 'again/run.json');
  truncateSync(path, 30);
  const message = `run again failed: ${path} is cut off; remove this file: the call that created the run then continues it`;
  // A task that waits for its next attempt, after its child was killed, is not why the run fails.
  const tasks = new Queue('epsball-tasks', {connection});
  const data = {work: folder, name: 'again', task: {kind: 'tile', index: 9}};
  await tasks.add('tile', data, {jobId: 'again.tile-9', delay: 3_600_000});
  await connection.hset(
    'bull:epsball-tasks:again.tile-9',
    'failedReason',
    'Unexpected exit code: null signal: SIGKILL',
  );
  await tasks.close();
  await expect(submitRun(redis.url, run)).rejects.toMatchObject({code: 'RUN_FAILED', message});
  rmSync(path);
  // As a task in progress does, BullMQ refuses to remove the job of the run while a lock exists.
  await connection.set('bull:epsball-runs:again:lock', 'other', 'PX', 2000);
  await submitRun(redis.url, await createRun(options));
  expect(await collect(await openRun(folder, 'again'))).toEqual(dbscanOracle(points, params));
});
