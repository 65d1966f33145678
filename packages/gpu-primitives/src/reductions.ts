import type {BufferSlice} from '@epsball/gpu';
import {sharesOf} from './tiles.ts';

/** Enough workgroups to fill a large GPU; what they come to fits a single workgroup's second dispatch. */
export const MAX_REDUCTION_GROUPS = 2048;
/** Words that a workgroup reads at least; fewer do not pay for its launch. */
const WORDS_PER_GROUP = 8192;
/** A binding of four-word elements holds at least one. */
const QUAD_BYTES = 16;

/** Workgroups of a reduction's first dispatch. */
export function reductionGroups(count: number): number {
  return sharesOf(count, WORDS_PER_GROUP, MAX_REDUCTION_GROUPS).groups;
}

/**
 * An input to be bound four words at a time.
 *
 * @param params  bound in its place where it is too small for one quad, and so never read as quads; large enough
 */
export function quadsOf(input: BufferSlice, params: BufferSlice): BufferSlice {
  return (input.size ?? 0) < QUAD_BYTES ? params : input;
}
