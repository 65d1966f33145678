import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {blobs, dbscanOracle, seededRandom} from '@epsball/conformance';
import {writePoints} from '@epsball/datasets';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {submitRun} from '../src/bullmq/index.ts';
import {createRun, openStore, type RunFiles, type RunOptions} from '../src/index.ts';
import {DAMAGES, damageFile, filesOfRun, type Damage} from './damage.ts';
import {collect, temporaryFolder} from './outOfCore.ts';
import {S3Server} from './s3Server.ts';
import {TestRedis, TestWorker, until} from './services.ts';

// Kills on workers, each with a file of the run that is damaged or removed at the same time:
// `EPSBALL_SHARE=1 EPSBALL_KILLS=100 EPSBALL_SEED=7 vitest run test/kills.long.test.ts`.

const KILLS = Number(process.env['EPSBALL_KILLS'] ?? 8);
const SEED = Number(process.env['EPSBALL_SEED'] ?? 1);
const LOCK_MS = 2000;
const WORKERS = 2;
/** More than the tasks of a run: then the file is damaged after the end. */
const MARKERS_MAX = 26;

const folder = temporaryFolder();
const params = {eps: 0.02, minPts: 5};
const points = blobs('float64', 2, 1500, {seed: 4, clusters: 9, sigma: 0.03});
const expected = dbscanOracle(points, params);
const random = seededRandom(SEED);

function pick<Item>(items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)];
}

/** One kill: what is planned, and how it ended. */
interface Attack {
  readonly name: string;
  readonly isS3: boolean;
  readonly order: 'input' | 'tile';
  readonly format: 'csv' | 'npy';
  readonly damage: Damage;
  /** Markers that the run has when it is attacked. */
  readonly markers: number;
  readonly victim: 'worker' | 'child';
}

function planAttack(k: number): Attack {
  return {
    name: `run-${k}`,
    isS3: k % 4 === 3,
    order: pick(['input', 'tile']),
    format: pick(['csv', 'npy']),
    damage: pick(DAMAGES),
    markers: 1 + Math.floor(random() * MARKERS_MAX),
    victim: pick(['worker', 'child']),
  };
}

describe('kills, each with a damaged or missing file', () => {
  let redis: TestRedis;
  let server: S3Server;
  const workers: TestWorker[] = [];
  const deaths: string[] = [];

  beforeAll(async () => {
    for (const format of ['csv', 'npy']) await writePoints(join(folder, `points.${format}`), points);
    server = await S3Server.start(folder);
    redis = await TestRedis.start(mkdtempSync(join(tmpdir(), 'epsball-redis-')));
    for (let k = 0; k < WORKERS; k++) startWorker();
  });
  afterAll(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    await redis.stop();
    await server.close();
  });

  /** Starts a worker. If it ends by itself, the test fails with its last lines. */
  function startWorker(): void {
    const worker = new TestWorker(redis.url, LOCK_MS);
    workers.push(worker);
    worker.process.once('exit', () => {
      if (workers.includes(worker)) deaths.push(worker.lines.slice(-20).join('\n'));
    });
  }

  /** Kills a worker, which is replaced, or a child process. Returns what was killed. */
  async function kill(victim: Attack['victim']): Promise<string> {
    const children = workers.flatMap((worker) => worker.children());
    if (victim === 'child' && children.length > 0) {
      process.kill(pick(children), 'SIGKILL');
      return 'child';
    }
    const [worker] = workers.splice(Math.floor(random() * workers.length), 1);
    await worker.stop();
    startWorker();
    return 'worker';
  }

  it.for(Array.from({length: KILLS}, (_, k) => planAttack(k)))(
    '$name: $damage after $markers markers, a $victim is killed',
    async ({name, isS3, order, format, damage, markers, victim}) => {
      const work = isS3 ? 's3://bucket/work' : join(folder, 'work');
      const forced = {chunkRows: 700, rangeRows: 800, capacity: 500};
      const input = join(folder, `points.${format}`);
      const options: RunOptions = {...params, input, work, name, order, concurrency: 1, forced};
      const run = await createRun(options);
      const outcome = settle(submitRun(redis.url, run));
      let hasEnded = false;
      void outcome.then(() => (hasEnded = true));
      expect(deaths.splice(0)).toEqual([]);
      await until(async () => hasEnded || (await run.doneTasks()).size >= markers, 'the markers', Infinity);
      const path = pick(filesOfRun(join(folder, isS3 ? 'bucket/work' : 'work', name)).filter(isFileOfRun));
      const damaged = damageIfThere(path, damage);
      const killed = await kill(victim);
      const failures = [...(await outcome), ...(await finish(options))];
      process.stdout.write(`${name}: ${killed}, ${damage} ${damaged}: ${failures.join(' | ') || 'labels equal'}\n`);
      for (const failure of failures) expectClear(failure, name);
    },
  );

  /** Submits again, as long as clear errors say what to do. Returns them. */
  async function finish(options: RunOptions): Promise<string[]> {
    const failures: string[] = [];
    for (let attempt = 0; attempt < 4; attempt++) {
      const found = await settle(
        createRun(options).then(async (run) => {
          await submitRun(redis.url, run);
          expect(await collectOnce(run)).toEqual(expected);
        }),
      );
      if (found.length === 0) return failures;
      failures.push(...found);
      await followAdvice(found[0]);
    }
    throw new Error(`${options.name} does not end: ${failures.join(' | ')}`);
  }

  /** A new reader, as another process has. */
  async function collectOnce({store, name}: RunFiles): Promise<unknown> {
    const {openRun} = await import('../src/index.ts');
    return collect(await openRun(store.url, name));
  }
});

/** s3rver keeps files of its own beside the objects. */
function isFileOfRun(path: string): boolean {
  return !path.includes('._S3rver_') || (path.endsWith('_object') && !path.includes('/probe.'));
}

/** The message of an error; none without one. */
async function settle(work: Promise<unknown>): Promise<string[]> {
  try {
    await work;
    return [];
  } catch (error) {
    if (!(error instanceof Error) || error.name === 'AssertionError') throw error;
    return [error.message];
  }
}

function damageIfThere(path: string, damage: Damage): string {
  const name = path.slice(folder.length + 1);
  try {
    damageFile(path, damage, random);
    return name;
  } catch {
    return `${name} (gone)`;
  }
}

/** One line that names what is damaged or missing. */
function expectClear(failure: string, name: string): void {
  expect(failure.split('\n')).toHaveLength(1);
  expect(failure).toMatch(new RegExp(`(${name}/(run.json|done/|data/)|has no run ${name})`));
}

async function followAdvice(failure: string): Promise<void> {
  const [, path] = /(\S+\/run\.json) is [^;]*; remove this file/.exec(failure) ?? [];
  if (path === undefined) return;
  if (path.startsWith('s3://bucket/')) await (await openStore('s3://bucket')).remove(path.slice('s3://bucket/'.length));
  else rmSync(path);
}
