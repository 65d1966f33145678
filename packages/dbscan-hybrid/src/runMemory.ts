import {bytesFor, SharedArena} from '@epsball/workers';
import type {SharedRun} from './hybridTasks.ts';

export interface PreparedRun extends SharedRun {
  readonly rowStart: Uint32Array;
}

type Results = Pick<PreparedRun, 'labels' | 'coreMask'>;

/** Shared memory, kept between runs: 22 bytes and 3 bits a point, and the edges that travel at once. */
export class RunMemory {
  readonly #arena = new SharedArena();
  readonly #edges = new SharedArena();
  #next: Results | undefined;

  /** Takes memory. Only marks, counters and roots are set to 0. Labels and core mask are new, for the caller. */
  prepare(n: number): PreparedRun {
    const words = Math.ceil(n / 32);
    const arena = this.#arena;
    arena.reserve(
      3 * bytesFor(4 * n) + bytesFor(4 * (n + 1)) + bytesFor(n) + 3 * bytesFor(4 * (words + 1)) + 2 * bytesFor(4),
    );
    const firsts = {first: arena.int32(n), marks: arena.int32(words).fill(0), ranks: arena.int32(words)};
    const forest = {isCore: arena.uint8(n), parent: arena.int32(n)};
    const pointOrder = arena.int32(n);
    const {buffer, byteOffset, length} = arena.int32(n + 1);
    return {
      forest,
      firsts,
      pointOrder,
      rowStart: new Uint32Array(buffer, byteOffset, length),
      borderEdges: arena.int32(1).fill(0),
      roots: arena.int32(words + 1).fill(0, 0, 1),
      clusterCount: arena.int32(1),
      ...this.#takeResults(n),
    };
  }

  /** Allocates labels and core mask for the next run of as many points. This takes some tenths of a millisecond. */
  readyNext(n: number): void {
    try {
      this.#next ??= makeResults(n);
    } catch {
      // This run does not need them. The next run allocates them and reports the error.
    }
  }

  #takeResults(n: number): Results {
    const results = this.#next?.labels.length === n ? this.#next : makeResults(n);
    this.#next = undefined;
    return results;
  }

  edges(edgeCount: number): Int32Array {
    this.#edges.reserve(bytesFor(4 * edgeCount));
    return this.#edges.int32(edgeCount);
  }

  destroy(): void {
    this.#arena.clear();
    this.#edges.clear();
    this.#next = undefined;
  }
}

/** New ones, because they go to the caller. */
function makeResults(n: number): Results {
  return {
    labels: new Int32Array(new SharedArrayBuffer(4 * n)),
    coreMask: new Uint8Array(new SharedArrayBuffer(n)),
  };
}
