import {GpuLimitError, InvalidParameterError} from '@epsball/clustering';
import type {Bindable, BufferSlice, Gpu} from '@epsball/gpu';

/**
 * The part of a buffer that holds `words` words, for binding.
 *
 * @param what  name of the buffer in error messages
 * @throws GpuLimitError  if the size exceeds the device's limit for a storage binding
 * @throws InvalidParameterError  if the buffer is too small or its offset is misaligned
 */
export function bindWords(gpu: Gpu, what: string, bindable: Bindable, words: number): BufferSlice {
  const {buffer, offset = 0} = 'buffer' in bindable ? bindable : {buffer: bindable};
  const size = 'buffer' in bindable ? bindable.size : undefined;
  const bytes = 4 * Math.max(1, words);
  const {maxStorageBufferBindingSize, minStorageBufferOffsetAlignment} = gpu.limits;
  if (bytes > maxStorageBufferBindingSize) {
    throw new GpuLimitError(`bytes of ${what}`, bytes, maxStorageBufferBindingSize, 'split the input');
  }
  if (offset % minStorageBufferOffsetAlignment !== 0) {
    throw new InvalidParameterError(`offset of ${what}`, offset, `a multiple of ${minStorageBufferOffsetAlignment}`);
  }
  const room = Math.min(size ?? Number.POSITIVE_INFINITY, buffer.size - offset);
  if (room < bytes) throw new InvalidParameterError(`bytes of ${what}`, room, `at least ${bytes}`);
  return {buffer, offset, size: bytes};
}

/** `bindWords` for one device. */
export function binderOf(gpu: Gpu): (what: string, bindable: Bindable, words: number) => BufferSlice {
  return (what, bindable, words) => bindWords(gpu, what, bindable, words);
}
