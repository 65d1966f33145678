import {rmSync, writeFileSync} from 'node:fs';
import {syncBuiltinESMExports} from 'node:module';
import {join} from 'node:path';
import timers from 'node:timers/promises';
import {blobs, dbscanOracle, seededRandom} from '@epsball/conformance';
import {SHARE, SHORT} from '@epsball/conformance/share';
import {writePoints} from '@epsball/datasets';
import {beforeAll, describe, expect, it, onTestFinished} from 'vitest';
import {
  createRun,
  nextStage,
  openRun,
  runLocally,
  runTask,
  type RunFiles,
  type RunOptions,
  type Task,
} from '../src/index.ts';
import {DAMAGES, damageFile, filesOfRun} from './damage.ts';
import {collect, temporaryFolder} from './outOfCore.ts';

const folder = temporaryFolder('memory');
const params = {eps: 0.02, minPts: 5};
const points = blobs('float64', 2, 1500, {seed: 4, clusters: 9, sigma: 0.03});
const expected = dbscanOracle(points, params);
const inputs = {csv: join(folder, 'points.csv'), npy: join(folder, 'points.npy')};

beforeAll(async () => {
  await writePoints(inputs.csv, points);
  await writePoints(inputs.npy, points);
});

let names = 0;
function optionsOf(more: Partial<RunOptions> = {}): RunOptions {
  const forced = {chunkRows: 700, rangeRows: 800, capacity: 500};
  return {...params, input: inputs.csv, work: folder, name: `run-${names++}`, concurrency: 1, forced, ...more};
}

/** Runs all stages before one, or all of them. */
async function runUntil(files: RunFiles, name?: Task['kind']): Promise<void> {
  for (let stage = await nextStage(files); stage !== undefined; stage = await nextStage(files)) {
    if (stage.name === name) return;
    for (const task of stage.pending) await runTask(files, task);
  }
}

/** Continues a run as the command does: once more after a file of the result was damaged. */
async function continueRun(options: RunOptions, concurrency: number): Promise<unknown> {
  const files = await createRun(options);
  for (;;) {
    await runLocally(files, {concurrency});
    try {
      return await collect(files);
    } catch (error) {
      expect(error).toMatchObject({code: 'FILE_DAMAGED', message: expect.stringContaining(join(folder, files.name))});
    }
  }
}

const STAGES = ['plan', 'route', 'balance', 'tile', 'join', 'merge', 'gather', 'label', undefined] as const;

/** Every file with all cases; in a short share, one of `STEP`, another one for each stage and damage. */
const STEP = SHARE > SHORT ? 1 : 27;

describe.for(STAGES)('before the stage %s', (stage) => {
  it.for(DAMAGES)('each file that is %s costs its task, not the labels', async (damage) => {
    const seed = DAMAGES.indexOf(damage) + DAMAGES.length * STAGES.indexOf(stage);
    const random = seededRandom(seed);
    const order = stage === 'label' ? 'tile' : 'input';
    const count = await countFiles(stage, order);
    for (let k = (seed * 5) % Math.min(STEP, count); k < count; k += STEP) {
      const options = optionsOf({order});
      const files = await createRun(options);
      await runUntil(files, stage);
      const path = filesOfRun(join(folder, files.name)).filter((file) => !file.endsWith('run.json'))[k];
      damageFile(path, damage, random);
      expect(await continueRun(options, STEP === 1 && k % 4 === 3 ? 2 : 1)).toEqual(expected);
    }
  });
});

const counts = new Map<Task['kind'] | undefined, number>();

async function countFiles(stage: Task['kind'] | undefined, order: 'input' | 'tile'): Promise<number> {
  const known = counts.get(stage);
  if (known !== undefined) return known;
  const files = await createRun(optionsOf({order}));
  await runUntil(files, stage);
  const count = filesOfRun(join(folder, files.name)).length - 1;
  counts.set(stage, count);
  return count;
}

describe('run.json', () => {
  it.for([
    ['emptied', 'is empty'],
    ['cut', 'is cut off'],
    ['flipped', 'is damaged'],
  ] as const)(
    'that is %s is named, and the run goes on when it is removed, as the error says',
    async ([damage, how]) => {
      const options = optionsOf({input: inputs.npy});
      const files = await createRun(options);
      await runUntil(files, 'tile');
      const path = join(folder, files.name, 'run.json');
      damageFile(path, damage, () => 0.9);
      const message = expect.stringMatching(`^${path} ${how}.*; remove this file: the call that created the run`);
      await expect(createRun(options)).rejects.toMatchObject({code: 'DAMAGED_RUN', message});
      await expect(openRun(folder, files.name)).rejects.toMatchObject({code: 'DAMAGED_RUN', message});
      rmSync(path);
      const kinds = new Set<string>();
      const again = await createRun(options);
      await runLocally(again, {onTask: ({kind}) => kinds.add(kind)});
      expect([...kinds]).toEqual(['tile', 'join', 'merge', 'gather']);
      expect(await collect(again)).toEqual(expected);
    },
  );

  it('that is lost and written for other parameters or sizes makes nothing of the tasks before count', async () => {
    const options = optionsOf({input: inputs.npy});
    const files = await createRun(options);
    await runUntil(files);
    rmSync(join(folder, files.name, 'run.json'));
    const changed = {...options, eps: 0.03, memoryBytes: 2 ** 30};
    replaceWaits();
    expect(await continueRun(changed, 1)).toEqual(dbscanOracle(points, {...params, eps: 0.03}));
  });
});

/** Replaces the waits of this process by none, and lists their milliseconds. */
function replaceWaits(): number[] {
  const waits: number[] = [];
  const {setTimeout: original} = timers;
  timers.setTimeout = (async (ms: number) => void waits.push(ms)) as typeof original;
  syncBuiltinESMExports();
  onTestFinished(() => {
    timers.setTimeout = original;
    syncBuiltinESMExports();
  });
  return waits;
}

describe('a disk that damages all that it gets', () => {
  it('ends a run with one clear error, and a better disk continues it', async () => {
    const options = optionsOf({input: inputs.npy});
    const files = await createRun(options);
    let isBad = true;
    const write = files.store.write.bind(files.store);
    files.store.write = async (path, parts) => {
      await write(path, parts);
      if (isBad && path.includes('/data/route')) writeFileSync(join(folder, path), '');
    };
    const waits = replaceWaits();
    await expect(runLocally(files)).rejects.toMatchObject({
      code: 'STORE_UNRELIABLE',
      message: expect.stringMatching(
        /lost files 12 times; check the disk of .*, then the run can continue. At last, .*data.route-0-\d.* is missing or cut off/,
      ),
    });
    expect(waits).toEqual([1000, 2000, 4000, 8000, 8000, 8000, 8000, 8000, 8000]);
    isBad = false;
    await runLocally(files);
    expect(await collect(files)).toEqual(expected);
  });
});
