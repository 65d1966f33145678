// What threads do in a run of the shift. Chunks write to places and positions of their own only.
import {shiftPlaces, type ShiftRule, type ShiftSpace} from '../shiftSpace.ts';

/** One shift of the positions at places [first, end). */
export function shiftChunk({space, rule}: {space: ShiftSpace; rule: ShiftRule}, first: number, end: number): void {
  shiftPlaces(space, rule, first, end);
}
