import type {BufferSlice} from '@epsball/gpu';
import {sharesOf} from './tiles.ts';

/** Enough workgroups to fill a large GPU; a single workgroup of the second dispatch takes their results. */
export const MAX_REDUCTION_GROUPS = 2048;
/** Minimum words per workgroup; fewer cost less than its launch. */
const WORDS_PER_GROUP = 8192;
/** Smallest binding for elements of four words. */
const QUAD_BYTES = 16;

/** Workgroups of a reduction's first dispatch. */
export function reductionGroups(count: number): number {
  return sharesOf(count, WORDS_PER_GROUP, MAX_REDUCTION_GROUPS).groups;
}

/**
 * An input as a binding of four-word elements.
 *
 * @param params  bound instead of an input smaller than one quad, which is not read as quads; large enough
 */
export function quadsOf(input: BufferSlice, params: BufferSlice): BufferSlice {
  return (input.size ?? 0) < QUAD_BYTES ? params : input;
}
