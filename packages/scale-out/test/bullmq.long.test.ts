import {mkdtempSync, readdirSync, readFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {blobs} from '@epsball/conformance';
import {SHARE, SHORT} from '@epsball/conformance/share';
import {writePoints} from '@epsball/datasets';
import {dbscan} from '@epsball/dbscan';
import {afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished} from 'vitest';
import {cancelRun, listRuns, redactUrl, submitRun} from '../src/bullmq/index.ts';
import {createRun, type RunFiles, type RunOptions} from '../src/index.ts';
import {collect, temporaryFolder} from './outOfCore.ts';
import {HAS_REDIS, isAlive, TestRedis, TestWorker, until} from './services.ts';

const LOCK_MS = 2000;
const n = SHARE > SHORT ? 2_000_000 : 60_000;
const params = {eps: SHARE > SHORT ? 0.001 : 0.004, minPts: 6};
const points = blobs('float64', 2, n, {seed: 3, clusters: 40, sigma: 0.04});
const folder = temporaryFolder();
const input = join(folder, 'points.npy');

let redis: TestRedis;
const workers: TestWorker[] = [];
let expected: Awaited<ReturnType<typeof dbscan>>;
let names = 0;

function startWorkers(count: number): void {
  for (let k = 0; k < count; k++) workers.push(new TestWorker(redis.url, LOCK_MS));
}

function createTestRun(more: Partial<RunOptions> = {}): Promise<RunFiles> {
  const forced = {chunkRows: Math.ceil(n / 6), rangeRows: Math.ceil(n / 3), capacity: n / 5};
  return createRun({...params, input, work: folder, name: `run-${names++}`, concurrency: 1, forced, ...more});
}

/** Whether the run is in its tiles. */
async function hasTiles(files: RunFiles, least: number): Promise<boolean> {
  return (
    (await files.doneTasks()).size > 0 &&
    [...(await files.doneTasks())].filter((name) => name.startsWith('tile')).length >= least
  );
}

async function expectLabels(files: RunFiles): Promise<void> {
  const {labels, coreMask, clusterCount} = await collect(files);
  expect(clusterCount).toBe(expected.clusterCount);
  expect(Buffer.compare(Buffer.from(labels.buffer), Buffer.from(expected.labels.buffer))).toBe(0);
  expect(Buffer.compare(coreMask, expected.coreMask)).toBe(0);
}

// `.ci/run` installs redis-server. Where it is missing, the tests are reported as skipped.
describe.skipIf(!HAS_REDIS)('a run on workers', () => {
  beforeAll(async () => {
    redis = await TestRedis.start(mkdtempSync(join(tmpdir(), 'epsball-redis-')), {password: 's3cr3t'});
    await writePoints(input, points);
    expected = await dbscan(points, {...params, algorithm: 'pds', backend: 'sequential'});
  });
  afterEach(async () => {
    const children = workers.flatMap((worker) => worker.children());
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    // A killed worker's children see that their channel closes.
    await until(() => children.every((pid) => !isAlive(pid)), 'the end of the children');
  });
  afterAll(() => redis.stop());

  it('has the labels of one run on three workers, of which one is killed, and a child of another', async () => {
    startWorkers(3);
    const files = await createTestRun();
    const done = submitRun(redis.url, files);
    await until(() => hasTiles(files, 1), 'the first tile');
    const victim = workers.find((worker) => worker.children().length > 0);
    const orphans = victim?.children() ?? [];
    await victim?.stop();
    const [child] = workers.filter((worker) => worker !== victim).flatMap((worker) => worker.children());
    if (child !== undefined) process.kill(child, 'SIGKILL');
    await done;
    await expectLabels(files);
    await until(() => orphans.every((pid) => !isAlive(pid)), 'the end of the orphans');
    expect((await listRuns(redis.url)).map(({name, state}) => [name, state])).toContainEqual([files.name, 'completed']);
  });

  it('survives a Redis that is killed and comes back with the end of its log cut off', async () => {
    startWorkers(2);
    const files = await createTestRun();
    const done = submitRun(redis.url, files);
    await until(() => hasTiles(files, 2), 'two tiles');
    await redis.killAndCut(4000);
    await redis.restart();
    await done;
    await expectLabels(files);
  });

  it('stops when it is cancelled, and continues when it is submitted again', async () => {
    const files = await createTestRun();
    const stopped = submitRun(redis.url, files);
    const outcome = expect(stopped).rejects.toThrow('cancelled');
    await until(async () => (await listRuns(redis.url)).some(({name}) => name === files.name), 'the run');
    await cancelRun(redis.url, files.name);
    startWorkers(1);
    await outcome;
    await submitRun(redis.url, files);
    await expectLabels(files);
    await expect(cancelRun(redis.url, files.name)).rejects.toThrow('has not ended; this one is completed');
    await expect(cancelRun(redis.url, 'none')).rejects.toThrow('name = "none"; expected a run that Redis knows');
  });

  it('has the state cancelled and the true count of tasks when it is cancelled among its tiles', async () => {
    startWorkers(1);
    const files = await createTestRun();
    const outcome = expect(submitRun(redis.url, files)).rejects.toThrow(`run ${files.name} was cancelled`);
    await until(() => hasTiles(files, 1), 'the first tile');
    await cancelRun(redis.url, files.name);
    await outcome;
    const run = (await listRuns(redis.url)).find(({name}) => name === files.name);
    const tiles = [...(await files.doneTasks())].filter((name) => name.startsWith('tile')).length;
    expect(run).toMatchObject({state: 'cancelled', stage: 'tile', done: tiles, reason: undefined});
    expect(run?.done).toBeLessThan(run?.total ?? 0);
    await expect(cancelRun(redis.url, files.name)).rejects.toThrow('this one is cancelled');
    await submitRun(redis.url, files);
    await expectLabels(files);
  });

  it('ends a worker at a signal and a submit at an abort while Redis is lost', async () => {
    startWorkers(1);
    const files = await createTestRun();
    const stop = new AbortController();
    const lines: string[] = [];
    const done = submitRun(redis.url, files, {signal: stop.signal, onLine: (line) => lines.push(line)});
    await until(() => hasTiles(files, 1), 'the first tile');
    onTestFinished(() => redis.restart());
    await redis.killAndCut(0);
    await until(() => lines.some((line) => line.includes('cannot be reached')), 'the loss, seen by the submitter');
    await until(() => workers[0].lines.some((line) => line.includes('ECONNREFUSED')), 'the loss, seen by the worker');
    const outcome = expect(done).rejects.toThrow('enough');
    stop.abort(new Error('enough'));
    await outcome;
    workers[0].process.kill('SIGTERM');
    await until(() => workers[0].process.exitCode === 0, 'the end of the worker');
    expect(workers[0].lines.filter((line) => /ECONNREFUSED|^ +at /.test(line))).toEqual([
      expect.stringMatching(/^redis:\/\/127.0.0.1:\d+ cannot be reached: .*; trying again$/),
    ]);
  });

  it('fails with the reason of a task that no attempt can do', async () => {
    const coords = points.coords.slice();
    coords[12_345] = Number.NaN;
    await writePoints(join(folder, 'nan.npy'), {coords, dim: 2});
    startWorkers(1);
    const files = await createTestRun({input: join(folder, 'nan.npy')});
    await expect(submitRun(redis.url, files)).rejects.toThrow('point 6172 has coordinate NaN');
  });

  it('keeps passwords out of its files, of Redis and of the lines of workers', async () => {
    startWorkers(1);
    const files = await createTestRun();
    await submitRun(redis.url, files);
    const written = readdirSync(join(folder, files.name, 'done')).map((name) =>
      readFileSync(join(folder, files.name, 'done', name), 'utf8'),
    );
    const texts = [...written, JSON.stringify(await files.request()), workers[0].lines.join('\n'), redis.log()];
    expect(texts.some((text) => text.includes('s3cr3t'))).toBe(false);
    expect(redactUrl('rediss://user:s3/c@r3t@host:1/2')).toBe('rediss://host:1/2');
  });
});
