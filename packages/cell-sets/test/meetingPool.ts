import {taskModule, WorkerPool, type Step, type SteppedWave} from '@epsball/workers';
import type * as meetingTasks from './meetingTasks.ts';

const tasks = taskModule<typeof meetingTasks>(import.meta.url, 'meetingTasks');

/**
 * A pool whose threads wait for each other before a step. Otherwise one often does all of it before another is awake.
 */
export function createMeetingPool(
  threads: number,
  meeting: number,
  step: 'mergePairs' | 'uniteCells' = 'mergePairs',
): WorkerPool {
  const pool = new WorkerPool({threads});
  const begin = pool.steps.bind(pool);
  return Object.assign(pool, {
    steps: (module: never, ordered: SteppedWave<object, string>) => {
      const met: Step<string> | undefined = ordered.steps.find(({name}) => name === step);
      if (met === undefined || typeof met.bounds === 'number') return begin(module, ordered as never);
      const expected = Math.min(meeting, met.bounds.length - 1);
      const arrived = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
      return begin(tasks, {...ordered, input: {...ordered.input, arrived, expected}} as never);
    },
  });
}
