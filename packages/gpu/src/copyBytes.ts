import type {HostArray} from './staging.ts';

/**
 * Copies all bytes of one array to another of as many bytes, at the speed of memory also where one of the two is shared. V8 takes three times as long there: its `set` keeps
 * to what the memory model says of racing words. Nobody may write either array meanwhile.
 *
 * @source  https://github.com/nodejs/node/pull/62032
 */
export function copyBytes(target: HostArray, source: HostArray): void {
  if (target.byteLength !== source.byteLength) {
    throw new RangeError(`copied ${source.byteLength} bytes to ${target.byteLength}; expected as many`);
  }
  const isShared = !(target.buffer instanceof ArrayBuffer && source.buffer instanceof ArrayBuffer);
  // Not in a browser. `fill` takes no empty array, which it would have to repeat.
  if (isShared && typeof Buffer !== 'undefined' && source.byteLength > 0) {
    // Filled with an array of its own length a buffer takes it by one memcpy; `Buffer.copy` of Node 24 calls `set`.
    Buffer.from(target.buffer, target.byteOffset, target.byteLength).fill(bytesOf(source));
  } else bytesOf(target).set(bytesOf(source));
}

function bytesOf({buffer, byteOffset, byteLength}: HostArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
