// The tasks of a wave that merges the parts. Merging waits until several threads have come.
import {mergePairs as mergePairsOfParts, type JoinedRun} from '../src/workers/cellSetTasks.ts';

export {assignLabels, findFirsts, markFirsts, rankFirsts} from '../src/workers/cellSetTasks.ts';

/** Number of threads that have come, and that are expected. */
export interface Meeting extends JoinedRun {
  readonly arrived: Int32Array;
  readonly expected: number;
}

/** Meetings that this thread has attended. */
const attended = new WeakSet<Meeting>();

export function mergePairs(meeting: Meeting, firstPart: number, endPart: number): void {
  const {arrived, expected} = meeting;
  if (!attended.has(meeting)) {
    attended.add(meeting);
    if (Atomics.add(arrived, 0, 1) + 1 >= expected) Atomics.notify(arrived, 0);
    // There are at least as many parts as expected threads. Each waiting thread holds one part, so one is left for
    // the next.
    for (let here = Atomics.load(arrived, 0); here < expected; here = Atomics.load(arrived, 0)) {
      Atomics.wait(arrived, 0, here);
    }
  }
  mergePairsOfParts(meeting, firstPart, endPart);
}
