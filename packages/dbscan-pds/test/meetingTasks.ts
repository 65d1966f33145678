// The tasks that join the parts, of which merging does not begin before others are there.
import {mergePairs as mergePairsOfParts, type JoinedRun} from '../src/workers/pdsTasks.ts';

export {assignLabels, findFirsts, markFirsts, rankFirsts} from '../src/workers/pdsTasks.ts';

/** A wave's meeting: how many threads are there, of how many. */
export interface Meeting extends JoinedRun {
  readonly arrived: Int32Array;
  readonly expected: number;
}

/** Meetings that this thread has been to. */
const been = new WeakSet<Meeting>();

export function mergePairs(meeting: Meeting, firstPart: number, endPart: number): void {
  const {arrived, expected} = meeting;
  if (!been.has(meeting)) {
    been.add(meeting);
    if (Atomics.add(arrived, 0, 1) + 1 >= expected) Atomics.notify(arrived, 0);
    // There are as many parts as are expected, at least: each one who waits has one in hand, and leaves one to the next.
    for (let here = Atomics.load(arrived, 0); here < expected; here = Atomics.load(arrived, 0)) {
      Atomics.wait(arrived, 0, here);
    }
  }
  mergePairsOfParts(meeting, firstPart, endPart);
}
