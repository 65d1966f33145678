import {afterEach, describe, expect, it} from 'vitest';
import {startNodeWorker} from '../src/host/nodeWorker.ts';
import {MessageThreads} from '../src/messageThreads.ts';
import {createRunningWave, failWave, leaveDead, type RunningWave} from '../src/runningWave.ts';
import type {WaveOrder} from '../src/task.ts';
import {taskModule} from '../src/taskModule.ts';
import type * as sumTasks from './sumTasks.ts';
import {evenBounds, sharedNumbers} from './waveInputs.ts';

const {url} = taskModule<typeof sumTasks>(import.meta.url, 'sumTasks');

/** Threads with one running wave. */
class OneWave {
  readonly running: RunningWave<unknown>;
  readonly order: WaveOrder;
  readonly threads: MessageThreads;
  deaths = 0;

  constructor(name: string, input: unknown, n: number, module = url) {
    this.running = createRunningWave([{phase: 'sums', bounds: evenBounds(10, n / 10)}], 3);
    this.order = {wave: 1, module, names: [name], input, memory: this.running.memory};
    this.threads = new MessageThreads(
      3,
      {
        orders: () => [this.order],
        onReply: (reply) => void this.running.replies.push(reply),
        onLostReply: () => {},
        onDeath: (thread, cause) => {
          this.deaths++;
          leaveDead(this.running, thread);
          if (!this.threads.hasPending) failWave(this.running, cause);
        },
      },
      startNodeWorker,
    );
  }
}

describe('threads that get orders as messages', () => {
  let wave: OneWave | undefined;
  afterEach(() => wave?.threads.destroy());

  it('run every chunk once, and have ended when every reply has come', async () => {
    const values = sharedNumbers(1000);
    wave = new OneWave('sum', {values}, 1000);
    wave.threads.post(wave.order, 10, 3);
    await wave.threads.ended(wave.order);
    const replies = wave.running.replies.flatMap(({chunks, results}) => chunks.map((k, at) => [k, results[at]]));
    expect(replies.map(([chunk]) => chunk).sort((a, b) => Number(a) - Number(b))).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
    ]);
    expect(replies.reduce((sum, [, result]) => sum + Number(result), 0)).toBe(499_500);
  });

  it('report a module that cannot be loaded', async () => {
    wave = new OneWave('sum', {}, 100, 'data:text/javascript,throw new Error("broken")');
    wave.threads.post(wave.order, 10, 1);
    await wave.threads.ended(wave.order);
    expect(wave.running.replies[0].failure).toMatchObject({chunk: -1, error: {message: 'broken'}});
  });

  it('report their end after destroy', async () => {
    wave = new OneWave('spin', {ms: 20}, 1000);
    wave.threads.post(wave.order, 10, 3);
    wave.threads.destroy();
    await expect.poll(() => wave?.deaths).toBe(3);
    expect(wave.running.failure).toMatchObject({cause: {message: 'the pool is destroyed'}});
  });
});
