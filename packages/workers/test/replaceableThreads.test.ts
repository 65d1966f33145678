import {cpSync, mkdtempSync, rmSync, symlinkSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';
import {afterAll, afterEach, beforeEach, describe, expect, it} from 'vitest';
import {loadPiscina, startOnPiscina} from '../src/host/nodeThread.ts';
import {taskModule, WorkerPool} from '../src/index.ts';
import {host} from '#host';
import type * as sumTasks from './sumTasks.ts';
import {evenBounds, sharedNumbers} from './waveInputs.ts';

const tasks = taskModule<typeof sumTasks>(import.meta.url, 'sumTasks');
const folder = mkdtempSync(join(tmpdir(), 'epsball-piscina-'));
afterAll(() => rmSync(folder, {recursive: true}));

/** A copy of piscina without the file that its threads run, as a bundle leaves it. Returns a module beside it. */
function copyWithoutWorker(name: string): string {
  const source = dirname(dirname(createRequire(import.meta.url).resolve('piscina')));
  const target = join(folder, name, 'node_modules/piscina');
  cpSync(join(source, 'dist'), join(target, 'dist'), {recursive: true, dereference: true});
  symlinkSync(join(source, 'package.json'), join(target, 'package.json'));
  rmSync(join(target, 'dist/worker.js'));
  return pathToFileURL(join(folder, name, 'program.js')).href;
}

describe('piscina', () => {
  it('is loaded where it is complete', () => {
    expect(loadPiscina(import.meta.url)).toBeDefined();
  });

  it('is not loaded without the file of its threads', () => {
    expect(loadPiscina(copyWithoutWorker('incomplete'))).toBeUndefined();
  });
});

describe('threads whose own module cannot be found', () => {
  const original = {...host};
  const Broken = createRequire(copyWithoutWorker('broken'))('piscina').Piscina;
  let othersMade = 0;

  beforeEach(() => {
    othersMade = 0;
    const startBroken = startOnPiscina(Broken);
    host.startThread = (start, events) =>
      startBroken(start, {
        ...events,
        onDeath: (cause, instead) => {
          if (instead !== undefined) othersMade++;
          events.onDeath(cause, instead);
        },
      });
  });
  afterEach(() => {
    Object.assign(host, original);
  });

  it.for([1, 2, 3])('are replaced, and the first waves of %i threads end on the others', async (threads) => {
    using pool = new WorkerPool({threads});
    const values = sharedNumbers(1000);
    const waves = [1, 2, 3].map((count) =>
      pool.wave(tasks, 'sum', {phase: 'sums', input: {values}, bounds: evenBounds(10 * count, 10)}),
    );
    const totals = (await Promise.all(waves)).map(({results}) => results.reduce((a, b) => a + b, 0));
    expect(totals).toEqual([4950, 19_900, 44_850]);
    // One thread that is replaced early may do all the work: the others fall on their own time.
    await expect.poll(() => othersMade).toBe(threads);
    const dying = pool.wave(tasks, 'endThread', {phase: 'end', input: {status: 3}, bounds: [0, 1]});
    await expect(dying).rejects.toMatchObject({name: 'WorkerFailedError', phase: 'end'});
    const {results} = await pool.wave(tasks, 'failAt', {phase: 'again', input: {at: -1}, bounds: [0, 5]});
    expect(results).toEqual([5]);
  });

  it('fail the wave that runs while the pool is destroyed', async () => {
    const pool = new WorkerPool({threads: 2});
    const wave = pool.wave(tasks, 'spin', {phase: 'clusters', input: {ms: 20}, bounds: evenBounds(1000, 1)});
    pool.destroy();
    expect(othersMade).toBe(0);
    await expect(wave).rejects.toMatchObject({name: 'WorkerFailedError', phase: 'clusters'});
    expect(othersMade).toBe(0);
  });
});
