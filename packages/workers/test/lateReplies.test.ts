// Messages of threads that come late or never.
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {startNodeWorker} from '../src/host/nodeThread.ts';
import {taskModule, WorkerPool} from '../src/index.ts';
import type {StartThread, ThreadEvents} from '../src/threads.ts';
import {host} from '#host';
import type * as sumTasks from './sumTasks.ts';
import {evenBounds, sharedNumbers} from './waveInputs.ts';

const tasks = taskModule<typeof sumTasks>(import.meta.url, 'sumTasks');
const original = {...host};

/** Starts threads whose events pass through `change`. */
function startWith(change: (events: ThreadEvents) => ThreadEvents): StartThread {
  return (start, events) => startNodeWorker(start, change(events));
}

function useThreads(start: StartThread): void {
  host.startThread = start;
}

afterEach(() => {
  Object.assign(host, original);
});

describe('a wave', () => {
  /** Messages that wait for the death of another thread; null after it: later ones need not wait. */
  let held: (() => void)[] | null = [];
  beforeEach(() => (held = []));

  it('waits for its replies when a thread that took no part dies', async () => {
    useThreads(
      startWith((events) => {
        const own: (() => void)[] = [];
        const flush = (messages: (() => void)[]): void => messages.splice(0).forEach((deliver) => deliver());
        return {
          ...events,
          onMessage: (message) => {
            if (held === null) return events.onMessage(message);
            const deliver = (): void => {
              if (own.splice(own.indexOf(deliver), 1).length > 0) events.onMessage(message);
            };
            own.push(deliver);
            held.push(deliver);
          },
          onDeath: (cause) => {
            flush(own);
            events.onDeath(cause);
            // Later than all that the death causes.
            setTimeout(() => {
              flush(held ?? []);
              held = null;
            });
          },
        };
      }),
    );
    using pool = new WorkerPool({threads: 2});
    const counts = new Int32Array(new SharedArrayBuffer(4));
    const wave = {input: {counts, others: 2}, bounds: [0, 1]};
    const staying = pool.wave(tasks, 'meet', {...wave, phase: 'staying'});
    const dying = pool.wave(tasks, 'meetAndEnd', {...wave, phase: 'dying'});
    await expect(dying).rejects.toMatchObject({name: 'WorkerFailedError', phase: 'dying'});
    expect((await staying).results).toEqual([true]);
  });
});

describe('a wave fails, and the next one runs', () => {
  const sum = {phase: 'sums', input: {values: sharedNumbers(40)}, bounds: evenBounds(4, 10)};
  const failed = {name: 'WorkerFailedError', phase: 'sums', cause: {message: 'lost'}};

  /** Starts threads of which the first one to reply does so in vain. */
  function losing(lose: (events: ThreadEvents) => void): StartThread {
    let isLost = false;
    return startWith((events) => ({
      ...events,
      onMessage: (message) => {
        if (isLost || 'ended' in message) return events.onMessage(message);
        isLost = true;
        lose(events);
      },
    }));
  }

  it('if a reply cannot be read', async () => {
    useThreads(losing(({onMessageError}) => onMessageError(new Error('lost'))));
    using pool = new WorkerPool({threads: 1});
    await expect(pool.wave(tasks, 'sum', sum)).rejects.toMatchObject(failed);
    expect((await pool.wave(tasks, 'sum', sum)).results).toEqual([45, 145, 245, 345]);
  });

  it('if a thread ends and takes its reply along', async () => {
    useThreads(losing(({onDeath}) => onDeath(new Error('lost'))));
    using pool = new WorkerPool({threads: 1});
    await expect(pool.wave(tasks, 'sum', sum)).rejects.toMatchObject(failed);
    expect((await pool.wave(tasks, 'sum', sum)).results).toEqual([45, 145, 245, 345]);
  });

  it('if its input cannot be copied to the first thread', async () => {
    let deaths = 0;
    useThreads(
      startWith((events) => ({
        ...events,
        onDeath: (cause) => {
          deaths++;
          events.onDeath(cause);
        },
      })),
    );
    using pool = new WorkerPool({threads: 1});
    await expect(
      pool.wave(tasks, 'endThread', {phase: 'end', input: {status: 3}, bounds: [0, 1]}),
    ).rejects.toBeInstanceOf(Error);
    expect(deaths).toBe(1);
    const input = {at: (() => 1) as never};
    const failing = pool.wave(tasks, 'failAt', {phase: 'input', input, bounds: [0, 1]});
    await expect(failing).rejects.toMatchObject({name: 'WorkerFailedError', phase: 'input'});
    expect((await pool.wave(tasks, 'sum', sum)).results).toEqual([45, 145, 245, 345]);
  });
});
