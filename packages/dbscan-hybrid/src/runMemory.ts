import type {ClusterFirsts, PointForest} from '@epsball/union-find';
import {bytesFor, SharedArena} from '@epsball/workers';

/** All that the waves of a run share, beside edges. By position unless said otherwise. */
export interface PreparedRun {
  readonly forest: PointForest;
  readonly firsts: ClusterFirsts;
  /** Original index. */
  readonly pointOrder: Int32Array;
  /** n + 1 words. */
  readonly rowStart: Uint32Array;
  /** By original index: new arrays, for the caller. */
  readonly labels: Int32Array;
  readonly coreMask: Uint8Array;
}

/** Shared memory of runs, kept from one to the next: 17 bytes a point and 2 bits. */
export class RunMemory {
  readonly #arena = new SharedArena();

  /** Nothing is filled in, but that no first is marked. */
  prepare(n: number): PreparedRun {
    const words = Math.ceil(n / 32);
    this.#arena.reserve(3 * bytesFor(4 * n) + bytesFor(4 * (n + 1)) + bytesFor(n) + 2 * bytesFor(4 * words));
    const firsts = {
      first: this.#arena.int32(n),
      marks: this.#arena.int32(words).fill(0),
      ranks: this.#arena.int32(words),
    };
    const forest = {isCore: this.#arena.uint8(n), parent: this.#arena.int32(n)};
    const pointOrder = this.#arena.int32(n);
    const {buffer, byteOffset, length} = this.#arena.int32(n + 1);
    return {
      forest,
      firsts,
      pointOrder,
      rowStart: new Uint32Array(buffer, byteOffset, length),
      labels: new Int32Array(new SharedArrayBuffer(4 * n)),
      coreMask: new Uint8Array(new SharedArrayBuffer(n)),
    };
  }

  /** Frees the memory; safe to call twice. */
  destroy(): void {
    this.#arena.clear();
  }
}
