import {mkdtempSync, readdirSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {blobs, dbscanOracle, seededRandom} from '@epsball/conformance';
import {writePoints} from '@epsball/datasets';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {startWorker, submitRun, type ScaleOutWorker} from '../src/bullmq/index.ts';
import {createRun, runLocally, type RunFiles} from '../src/index.ts';
import {DAMAGES, damageFile} from './damage.ts';
import {collect, temporaryFolder} from './outOfCore.ts';
import {HAS_REDIS, TestRedis} from './services.ts';

const folder = temporaryFolder();
const work = join(folder, 'work');
const params = {eps: 0.02, minPts: 5};
const points = blobs('float64', 2, 1500, {seed: 4, clusters: 9, sigma: 0.03});
const expected = dbscanOracle(points, params);

describe.skipIf(!HAS_REDIS)('workers of a run', () => {
  let redis: TestRedis;
  let worker: ScaleOutWorker;
  const lines: string[] = [];

  beforeAll(async () => {
    redis = await TestRedis.start(mkdtempSync(join(tmpdir(), 'epsball-redis-')));
    await writePoints(join(folder, 'points.npy'), points);
    worker = await startWorker({redis: redis.url, concurrency: 2, onLine: (line) => lines.push(line)});
  });
  afterAll(async () => {
    await worker.close(true);
    await redis.stop();
  });

  /** A run whose stages from `stage` on are not done. */
  async function runBefore(name: string, stage: 'join' | 'gather'): Promise<RunFiles> {
    const forced = {chunkRows: 700, rangeRows: 800, capacity: 500};
    const run = await createRun({...params, input: join(folder, 'points.npy'), work, name, concurrency: 1, forced});
    await runLocally(run);
    const kinds = stage === 'join' ? ['join', 'merge', 'gather'] : ['gather'];
    const done = [...(await run.doneTasks())].filter((task) => kinds.some((kind) => task.startsWith(kind)));
    for (const task of done) await run.store.remove(`${name}/done/${task}.json`);
    return run;
  }

  it.for(DAMAGES)('repeat a task whose file is %s, and the labels are the same', async (damage) => {
    const random = seededRandom(5);
    for (const [stage, task] of [
      ['join', 'tile-1'],
      ['gather', 'merge-0'],
    ] as const) {
      const run = await runBefore(`${damage}-${stage}`, stage);
      const data = join(work, run.name, 'data', task);
      damageFile(join(data, readdirSync(data)[0]), damage, random);
      await submitRun(redis.url, run);
      expect(await collect(run)).toEqual(expected);
    }
  });

  it.for(DAMAGES)('repeat a task whose marker is %s', async (damage) => {
    const run = await runBefore(`marker-${damage}`, 'join');
    damageFile(join(work, run.name, 'done/tile-1.json'), damage, seededRandom(6));
    await submitRun(redis.url, run);
    expect(await collect(run)).toEqual(expected);
  });

  it('say which file was damaged', () => {
    const said = lines.filter((line) => line.includes(`${work}/flipped-join/data/tile-1/`));
    expect(said).not.toEqual([]);
    expect(said[0]).toMatch(/^flipped-join\.join-\d: .*is damaged \(its checksum differs\); its task runs again/);
  });
});
