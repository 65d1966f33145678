/** Arrays start on their own cache lines, so that two threads never write to one. */
const ALIGNMENT = 64;

/** Shared memory for the arrays of one run after another: kept, so that its pages are there when the next run needs them. */
export class SharedArena {
  #memory = new SharedArrayBuffer(0);
  #used = 0;

  /**
   * Makes room for new arrays. Those that were taken before are invalid from now on.
   *
   * @param bytes  sum of `bytesFor` over the arrays to come
   */
  reserve(bytes: number): void {
    this.#used = 0;
    if (bytes <= this.#memory.byteLength) return;
    // Let go first: the two never need to be there together.
    this.#memory = new SharedArrayBuffer(0);
    this.#memory = new SharedArrayBuffer(bytes);
  }

  /** Values are what the run before has left. */
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

  /** As `int32`, of the same type as another array. */
  like(
    coords: Float32Array | Float64Array,
    length: number,
  ): Float32Array<SharedArrayBuffer> | Float64Array<SharedArrayBuffer> {
    const offset = this.#take(coords.BYTES_PER_ELEMENT * length);
    return coords instanceof Float32Array
      ? new Float32Array(this.#memory, offset, length)
      : new Float64Array(this.#memory, offset, length);
  }

  /** Frees the memory; threads may still hold it until they wake and collect their garbage. */
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

/** What an array of so many bytes takes in an arena. */
export function bytesFor(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}
