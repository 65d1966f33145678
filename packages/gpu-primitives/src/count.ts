import {checkInteger, InvalidParameterError} from '@epsball/clustering';
import {type BufferSlice, type ParamRing, type StructLayout, type StructValues, wordOf} from '@epsball/gpu';

/** An offset that every device allows for uniform and storage bindings. */
const BINDING_ALIGNMENT = 256;

/** A number of elements, integer, 0 … 2^32 − 1: known to the host, or written by a kernel. */
export type Count = number | DeviceCount;

/** A count on the device: one u32 in a storage buffer that the operation does not write. */
export interface DeviceCount {
  readonly buffer: GPUBuffer;
  /** Offset of the word in bytes, a multiple of 4. Default: 0. */
  readonly offset?: number;
  /**
   * Upper bound of the count; elements beyond it are ignored. Buffers and scratch need room for this many elements, and
   * the host dispatches for this many.
   */
  readonly atMost: number;
}

export function atMostOf(count: Count): number {
  const atMost = typeof count === 'number' ? count : count.atMost;
  const what = typeof count === 'number' ? 'count' : 'count.atMost';
  checkInteger(what, atMost, 0, 0xffff_ffff, 'an integer, 0 … 2^32 − 1');
  if (typeof count !== 'number') {
    const {buffer, offset = 0} = count;
    if (!Number.isInteger(offset / 4) || offset < 0 || offset + 4 > buffer.size) {
      throw new InvalidParameterError('count.offset', offset, `a multiple of 4, 0 … ${buffer.size - 4}`);
    }
  }
  return atMost;
}

export function checkRecord(stride: number, field = 0): void {
  checkInteger('stride', stride, 1);
  checkInteger('field', field, 0, stride - 1, `an integer, 0 … stride − 1 = ${stride - 1}`);
}

export interface CountedLayout extends StructLayout {
  readonly fields: StructLayout['fields'] & {readonly atMost: unknown; readonly countWord: unknown};
}

/** Both bindings; for a count known to the host, `deviceCount` is the word in the parameters. */
export interface CountedBindings {
  readonly params: BufferSlice;
  readonly deviceCount: BufferSlice;
}

export function writeCounted<L extends CountedLayout>(
  ring: ParamRing,
  layout: L,
  count: Count,
  values: Omit<StructValues<L>, 'atMost' | 'countWord'>,
): CountedBindings {
  const atMost = atMostOf(count);
  const write = (countWord: number): BufferSlice => ring.write<StructLayout>(layout, {...values, atMost, countWord});
  if (typeof count === 'number') {
    const params = write(wordOf<CountedLayout>(layout, 'atMost'));
    return {params, deviceCount: params};
  }
  const {buffer, offset = 0} = count;
  const begin = offset - (offset % BINDING_ALIGNMENT);
  const size = Math.min(BINDING_ALIGNMENT, buffer.size - begin);
  return {params: write((offset - begin) / 4), deviceCount: {buffer, offset: begin, size}};
}
