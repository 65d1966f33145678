import {WorkersUnavailableError} from '@epsball/clustering';
import {host} from '#host';

/** Bytes. Each array starts on a cache line of its own, so no two threads write to one line. */
const ALIGNMENT = 64;

/**
 * Bytes of one memory, and of one array. A message has an array's offset and length as 32 bits: V8 cuts larger ones
 * without an error, and a thread would then write to another array (Node 24, tried with 4.5 GiB).
 */
const MEMORY_BYTES_MAX = 2 ** 32 - ALIGNMENT;

/** Shared memory for the arrays of one run after another. It is kept, so the next run finds its pages mapped. */
export class SharedArena {
  readonly #most: number;
  #memory: SharedArrayBuffer;
  #used = 0;
  /** Whether each array has a memory of its own, which is not kept: one memory cannot hold them. */
  #isCut = false;

  /**
   * @param most  maximum bytes of one memory; tests pass a small number
   * @throws WorkersUnavailableError  in a page that is not cross-origin isolated
   */
  constructor(most: number = MEMORY_BYTES_MAX) {
    requireSharedMemory();
    this.#most = most;
    this.#memory = new SharedArrayBuffer(0);
  }

  /**
   * Makes room for new arrays. Arrays taken before become invalid.
   *
   * @param bytes  sum of `bytesFor` over the new arrays
   */
  reserve(bytes: number): void {
    this.#used = 0;
    this.#isCut = bytes > this.#most;
    if (!this.#isCut && bytes <= this.#memory.byteLength) return;
    // Release the old memory first, so that both need not exist at a time.
    this.#memory = new SharedArrayBuffer(0);
    if (!this.#isCut) this.#memory = new SharedArrayBuffer(bytes);
  }

  /**
   * Takes an array of `length` elements. Its values are undefined: the run before may have left some.
   *
   * @throws WorkersUnavailableError  if the array is too long to be sent to a thread
   */
  int32(length: number): Int32Array<SharedArrayBuffer> {
    return new Int32Array(...this.#take(4 * length), length);
  }

  /** As `int32`. */
  uint16(length: number): Uint16Array<SharedArrayBuffer> {
    return new Uint16Array(...this.#take(2 * length), length);
  }

  /** As `int32`. */
  uint8(length: number): Uint8Array<SharedArrayBuffer> {
    return new Uint8Array(...this.#take(length), length);
  }

  /** As `int32`, of the type of `coords`. */
  like(
    coords: Float32Array | Float64Array,
    length: number,
  ): Float32Array<SharedArrayBuffer> | Float64Array<SharedArrayBuffer> {
    const place = this.#take(coords.BYTES_PER_ELEMENT * length);
    return coords instanceof Float32Array ? new Float32Array(...place, length) : new Float64Array(...place, length);
  }

  /** Releases the memory. Threads may keep it alive until their next garbage collection. */
  clear(): void {
    this.#memory = new SharedArrayBuffer(0);
    this.#used = 0;
  }

  #take(bytes: number): [memory: SharedArrayBuffer, offset: number] {
    checkSendable(bytes, this.#most);
    if (this.#isCut) return [new SharedArrayBuffer(bytesFor(bytes)), 0];
    const offset = this.#used;
    this.#used += bytesFor(bytes);
    return [this.#memory, offset];
  }
}

/**
 * Checks that threads can get an array.
 *
 * @throws WorkersUnavailableError  if it has more bytes than a message can say
 */
export function checkSendable(bytes: number, most: number = MEMORY_BYTES_MAX): void {
  if (bytes <= most) return;
  throw new WorkersUnavailableError(
    `an array of ${bytes} bytes; expected at most ${most}, which threads can share: use another backend, or cluster out of core`,
  );
}

/** Bytes that an array of `bytes` bytes takes in an arena. */
export function bytesFor(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

/** @throws WorkersUnavailableError  if threads cannot share memory here; says what to do */
export function requireSharedMemory(): void {
  const missing = host.missing();
  if (missing !== undefined) throw new WorkersUnavailableError(missing);
}
