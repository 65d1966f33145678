import {taskModule, WorkerPool, type Wave} from '@epsball/workers';
import type * as meetingTasks from './meetingTasks.ts';
import type {Meeting} from './meetingTasks.ts';

const tasks = taskModule<typeof meetingTasks>(import.meta.url, 'meetingTasks');

/** A pool whose threads wait for each other before they merge: else one has often merged all before another is awake. */
export function createMeetingPool(threads: number, meeting: number): WorkerPool {
  const pool = new WorkerPool({threads});
  const wave = pool.wave.bind(pool);
  return Object.assign(pool, {
    wave: async (module: never, name: never, ordered: Wave<never>) => {
      if (name !== 'mergePairs') return wave(module, name, ordered);
      const expected = Math.min(meeting, ordered.bounds.length - 1);
      const arrived = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
      const input: Meeting = {merging: ordered.input, arrived, expected};
      return wave(tasks, 'mergePairs', {...ordered, input});
    },
  });
}
