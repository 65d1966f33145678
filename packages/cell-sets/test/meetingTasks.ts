// The tasks of a run. Unions over cells and merging wait until several threads have come.
import {
  mergePairs as mergePairsOfParts,
  uniteCells as uniteCellsOfPart,
  type JoinedRun,
  type LocalRun,
} from '../src/workers/cellSetTasks.ts';
import type {SpilledPairs} from '../src/workers/crossPairs.ts';

export {assignLabels, findFirsts, markCore, markFirsts, rankFirsts} from '../src/workers/cellSetTasks.ts';

/** Number of threads that have come, and that are expected. */
export interface Meeting {
  readonly arrived: Int32Array;
  readonly expected: number;
}

/** Meetings that this thread has attended. */
const attended = new WeakSet<Meeting>();

export function mergePairs(run: JoinedRun & Meeting, firstPart: number, endPart: number): void {
  meet(run);
  mergePairsOfParts(run, firstPart, endPart);
}

export function uniteCells(
  run: LocalRun & Meeting,
  firstCell: number,
  endCell: number,
  part: number,
): SpilledPairs | undefined {
  meet(run);
  return uniteCellsOfPart(run, firstCell, endCell, part);
}

function meet(meeting: Meeting): void {
  if (attended.has(meeting)) return;
  attended.add(meeting);
  const {arrived, expected} = meeting;
  if (Atomics.add(arrived, 0, 1) + 1 >= expected) Atomics.notify(arrived, 0);
  // There are at least as many parts as expected threads. Each waiting thread holds one part, so one is left for the
  // next.
  for (let here = Atomics.load(arrived, 0); here < expected; here = Atomics.load(arrived, 0)) {
    Atomics.wait(arrived, 0, here);
  }
}
