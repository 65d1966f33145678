import {existsSync, mkdtempSync, readdirSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {blobs} from '@epsball/conformance';
import {writePoints} from '@epsball/datasets';
import {Queue, QueueEvents, type JobsOptions} from 'bullmq';
import {Redis} from 'ioredis';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {cancelRun, listRuns, startWorker, submitRun, type ScaleOutWorker} from '../src/bullmq/index.ts';
import {createRun, runLocally, type RunFiles} from '../src/index.ts';
import {temporaryFolder} from './outOfCore.ts';
import {HAS_REDIS, TestRedis} from './services.ts';

const folder = temporaryFolder();
const work = join(folder, 'work');

/** Outcome of a job that someone else added to a queue. */
interface Outcome {
  readonly state: string;
  readonly reason: string;
  readonly attempts: number;
}

describe.skipIf(!HAS_REDIS)('a worker and a job that no client of ours added', () => {
  let redis: TestRedis;
  let connection: Redis;
  let worker: ScaleOutWorker;
  const lines: string[] = [];
  let finished: RunFiles;
  let ids = 0;

  beforeAll(async () => {
    redis = await TestRedis.start(mkdtempSync(join(tmpdir(), 'epsball-redis-')), {password: 's3cr3t'});
    connection = new Redis(redis.url, {maxRetriesPerRequest: null});
    await writePoints(join(folder, 'points.npy'), blobs('float64', 2, 300, {seed: 4, clusters: 3, sigma: 0.03}));
    finished = await createTestRun('finished');
    await runLocally(finished);
    worker = await startWorker({redis: redis.url, onLine: (line) => lines.push(line)});
  });
  afterAll(async () => {
    await worker.close(true);
    connection.disconnect();
    await redis.stop();
  });

  function createTestRun(name: string): Promise<RunFiles> {
    const params = {eps: 0.02, minPts: 5, concurrency: 1, forced: {chunkRows: 100, rangeRows: 100}};
    return createRun({...params, input: join(folder, 'points.npy'), work, name});
  }

  /** Adds a job to a queue, and waits for its end. */
  async function outcomeOf(queueName: string, data: unknown, options: JobsOptions = {}): Promise<Outcome> {
    const queue = new Queue(queueName, {connection});
    const events = new QueueEvents(queueName, {connection: connection.duplicate()});
    try {
      await events.waitUntilReady();
      const backoff = {type: 'fixed', delay: 1};
      const job = await queue.add('foreign', data, {jobId: `job-${ids++}`, attempts: 3, backoff, ...options});
      await job.waitUntilFinished(events).catch(() => undefined);
      const ended = await queue.getJob(job.id ?? '');
      const state = (await ended?.getState()) ?? 'gone';
      return {state, reason: ended?.failedReason ?? '', attempts: ended?.attemptsMade ?? 0};
    } finally {
      await events.close();
      await queue.close();
    }
  }

  it.for([
    [
      {kind: 'tile', index: '0/../../../../OUTSIDE/a'},
      'task.index = "0/../../../../OUTSIDE/a"; expected an integer ≥ 0',
    ],
    [{kind: 'route', index: 0, round: '0/../../../../OUTSIDE/a'}, 'task.round'],
    [{kind: '../../../OUTSIDE/a', index: 0}, 'task.kind = "../../../OUTSIDE/a"'],
    [{kind: 'melt', index: 0}, 'task.kind = "melt"'],
    [{kind: 'toString', index: 0}, 'task.kind = "toString"'],
    [{kind: 'tile', index: -1}, 'task.index = -1'],
    [{kind: 'tile', index: 0.5}, 'task.index = 0.5'],
    [{kind: 'tile'}, 'task.index'],
    ['tile-0', 'task = "tile-0"'],
    [null, 'task = null'],
  ] as const)('fails once, without a trace in the file system: the task %j', async ([task, reason]) => {
    const outcome = await outcomeOf('epsball-tasks', {work, name: 'finished', task});
    expect(outcome).toMatchObject({state: 'failed', attempts: 1, reason: expect.stringContaining(reason)});
    expect(existsSync(join(folder, 'OUTSIDE'))).toBe(false);
    expect(readdirSync(folder).sort()).toEqual(['points.npy', 'work']);
  });

  it.for(['import', 'plan', 'route', 'balance', 'tile', 'join', 'merge', 'gather', 'label'])(
    'fails once: a task %s that the run does not have',
    async (kind) => {
      for (const round of [undefined, ...(kind === 'route' || kind === 'balance' ? [0, 1e9] : [7])]) {
        const index = round === undefined || round === 0 ? 1e9 : 0;
        const outcome = await outcomeOf('epsball-tasks', {work, name: 'finished', task: {kind, index, round}});
        const reason = expect.stringMatching(/^task = ".*"; expected a task of run finished$/);
        expect(outcome).toMatchObject({state: 'failed', attempts: 1, reason});
      }
    },
  );

  it.for([
    [null, 'job = null'],
    ['text', 'job = "text"'],
    [{name: 'finished'}, 'job.work = undefined; expected a folder'],
    [{work: 5, name: 'finished'}, 'job.work = 5'],
    [{work, name: '../points.npy'}, 'name = "../points.npy"'],
    [{work, name: ['finished']}, 'job.name'],
    [{work: 'http://host', name: 'finished'}, 'work = "http://host"'],
    [{work, name: 'none'}, 'has no run none'],
  ] as const)('fails once: the data %j', async ([data, reason]) => {
    for (const queue of ['epsball-tasks', 'epsball-runs']) {
      const more =
        queue === 'epsball-tasks' && data !== null && typeof data === 'object' ? {task: {kind: 'plan', index: 0}} : {};
      const all = typeof data === 'object' && data !== null ? {...data, ...more} : data;
      const outcome = await outcomeOf(queue, all);
      expect(outcome).toMatchObject({state: 'failed', attempts: 1, reason: expect.stringContaining(reason)});
    }
  });

  it('shows no control character of its name, its data or its reason in a line', async () => {
    const jobId = '\u001B]0;owned\u0007\u001B[2J\u202Ename';
    await outcomeOf('epsball-tasks', {work, name: 'finished', task: {kind: '\u001B[31mred', index: 0}}, {jobId});
    await outcomeOf('epsball-runs', {work: '\u001B[31mred', name: 'none'}, {jobId});
    expect(lines.filter((line) => line.includes('owned'))).toHaveLength(2);
    expect(lines.filter((line) => /[\p{Cc}\u202E]/u.test(line))).toEqual([]);
  });

  it('is listed, and stands in the way of no run', async () => {
    await outcomeOf('epsball-runs', null, {jobId: 'strange'});
    await outcomeOf('epsball-runs', {work, name: {}}, {jobId: 'stranger'});
    const found = await listRuns(redis.url);
    expect(found.find(({name}) => name === 'strange')).toMatchObject({work: '', state: 'failed'});
    expect(found.find(({name}) => name === 'stranger')?.reason).toContain('job.name');
    await expect(cancelRun(redis.url, 'strange')).rejects.toThrow('this one is failed');
    await submitRun(redis.url, await createTestRun('good'));
    expect((await listRuns(redis.url)).find(({name}) => name === 'good')).toMatchObject({state: 'completed', total: 3});
  });

  it('has no progress that is not one', async () => {
    const queue = new Queue('epsball-runs', {connection});
    const job = await queue.add('run', {work, name: 'later'}, {jobId: 'later', delay: 3_600_000});
    await job.updateProgress({stage: '\u001B[2J', total: 'many', doneBefore: 0, processedBefore: 0});
    expect((await listRuns(redis.url)).find(({name}) => name === 'later')).toMatchObject({stage: undefined, total: 0});
    await queue.close();
  });
});
