import {taskModule, WorkerPool, type Step, type SteppedWave} from '@epsball/workers';
import type {JoinedRun} from '../src/workers/cellSetTasks.ts';
import type * as meetingTasks from './meetingTasks.ts';

const tasks = taskModule<typeof meetingTasks>(import.meta.url, 'meetingTasks');

/** A wave that merges the parts. */
type Join = SteppedWave<JoinedRun, 'mergePairs'>;

/**
 * A pool whose threads wait for each other before they merge. Otherwise one often merges all before another is awake.
 */
export function createMeetingPool(threads: number, meeting: number): WorkerPool {
  const pool = new WorkerPool({threads});
  const begin = pool.steps.bind(pool);
  return Object.assign(pool, {
    steps: (module: never, ordered: Join) => {
      const merging: Step<string> | undefined = ordered.steps.find(({name}) => name === 'mergePairs');
      if (merging === undefined || typeof merging.bounds === 'number') return begin(module, ordered as never);
      const expected = Math.min(meeting, merging.bounds.length - 1);
      const arrived = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
      return begin(tasks, {...ordered, input: {...ordered.input, arrived, expected}});
    },
  });
}
