import {requireSharedMemory} from './sharedMemory.ts';

/** Bytes. Each array starts on a cache line of its own, so no two threads write to one line. */
const ALIGNMENT = 64;

/** Shared memory for the arrays of one run after another. It is kept, so the next run finds its pages mapped. */
export class SharedArena {
  #memory: SharedArrayBuffer;
  #used = 0;

  /** @throws WorkersUnavailableError  in a page that is not cross-origin isolated */
  constructor() {
    requireSharedMemory();
    this.#memory = new SharedArrayBuffer(0);
  }

  /**
   * Makes room for new arrays. Arrays taken before become invalid.
   *
   * @param bytes  sum of `bytesFor` over the new arrays
   */
  reserve(bytes: number): void {
    this.#used = 0;
    if (bytes <= this.#memory.byteLength) return;
    // Release the old memory first, so that both need not exist at a time.
    this.#memory = new SharedArrayBuffer(0);
    this.#memory = new SharedArrayBuffer(bytes);
  }

  /** Takes an array of `length` elements. Its values are undefined: the run before may have left some. */
  int32(length: number): Int32Array<SharedArrayBuffer> {
    return new Int32Array(this.#memory, this.#take(4 * length), length);
  }

  /** As `int32`. */
  uint16(length: number): Uint16Array<SharedArrayBuffer> {
    return new Uint16Array(this.#memory, this.#take(2 * length), length);
  }

  /** As `int32`. */
  uint8(length: number): Uint8Array<SharedArrayBuffer> {
    return new Uint8Array(this.#memory, this.#take(length), length);
  }

  /** As `int32`, of the type of `coords`. */
  like(
    coords: Float32Array | Float64Array,
    length: number,
  ): Float32Array<SharedArrayBuffer> | Float64Array<SharedArrayBuffer> {
    const offset = this.#take(coords.BYTES_PER_ELEMENT * length);
    return coords instanceof Float32Array
      ? new Float32Array(this.#memory, offset, length)
      : new Float64Array(this.#memory, offset, length);
  }

  /** Releases the memory. Threads may keep it alive until their next garbage collection. */
  clear(): void {
    this.#memory = new SharedArrayBuffer(0);
    this.#used = 0;
  }

  #take(bytes: number): number {
    const offset = this.#used;
    this.#used += bytesFor(bytes);
    return offset;
  }
}

/** Bytes that an array of `bytes` bytes takes in an arena. */
export function bytesFor(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}
