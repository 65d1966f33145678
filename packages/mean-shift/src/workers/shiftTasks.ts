// The task of threads in a run of the shift. Chunks write to slots and positions of their own only.
import {shiftPositions, type ShiftRule, type ShiftState} from '../shift/shiftState.ts';

/** Moves the positions in slots [first, end) once. */
export function shiftChunk({state, rule}: {state: ShiftState; rule: ShiftRule}, first: number, end: number): void {
  shiftPositions(state, rule, first, end);
}
