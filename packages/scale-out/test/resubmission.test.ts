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

it.skipIf(!HAS_REDIS)('a run of a name that Redis works at in another folder is refused', async () => {
  const redis = await TestRedis.start(mkdtempSync(join(tmpdir(), 'epsball-redis-')));
  onTestFinished(() => redis.stop());
  const input = join(folder, 'points.npy');
  await writePoints(input, points);
  const [first, second] = await Promise.all(
    ['one', 'two'].map((work) => createRun({...params, input, work: join(folder, work), name: 'night'})),
  );
  // No worker takes it.
  const stop = new AbortController();
  const {promise: isKnown, resolve: known} = Promise.withResolvers<void>();
  const waiting = submitRun(redis.url, first, {signal: stop.signal, onProgress: () => known()});
  const ended = expect(waiting).rejects.toThrow('enough');
  await isKnown;
  await expect(submitRun(redis.url, second)).rejects.toThrow(
    `name = "night"; expected another name (--run): this Redis works at a run of that name in ${join(folder, 'one')}`,
  );
  stop.abort(new Error('enough'));
  await ended;
});
