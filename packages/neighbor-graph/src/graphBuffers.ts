import {Scratch, type Gpu} from '@epsball/gpu';
import type {EdgeFilter, RowBindings} from './rowKernels.ts';

/** Columns of a row that are kept, as gridRows.wgsl has it. */
const KEPT = 7;
/** Of a row: how many it has, and these. */
const KEPT_BYTES: number = 4 * (1 + KEPT);

/** The arrays of a graph on the device, kept for the next one. */
export class GraphBuffers implements Disposable {
  readonly #scratch: Scratch;
  /** That a kernel binds at once. */
  readonly #mostBytes: number;

  constructor(gpu: Gpu) {
    this.#mostBytes = Math.min(gpu.device.limits.maxStorageBufferBindingSize, gpu.device.limits.maxBufferSize);
    this.#scratch = new Scratch(gpu, 'neighbor-graph');
  }

  degrees(n: number): GPUBuffer {
    return this.#scratch.take('degrees', 4 * (n + 1));
  }

  /** Row lengths of all edges are the degrees. */
  rowLength(n: number, filter: EdgeFilter): GPUBuffer {
    return filter === 'all' ? this.degrees(n) : this.#scratch.take('rowLength', 4 * (n + 1));
  }

  rowStart(n: number): GPUBuffer {
    return this.#scratch.take('rowStart', 4 * (n + 1));
  }

  keptStart(n: number): GPUBuffer {
    return this.#scratch.take('keptStart', 4 * (n + 1));
  }

  undecidedRows(n: number): GPUBuffer {
    return this.#scratch.take('undecidedRows', 4 * (n + 1));
  }

  /** Whether a kernel can bind the kept columns of so many rows. */
  canKeep(n: number): boolean {
    return KEPT_BYTES * n <= this.#mostBytes;
  }

  /** What kernels bind that go over the rows of a filter; `isKeeping` where columns are kept as they are counted. */
  bindings(n: number, filter: EdgeFilter, isGrid: boolean, isKeeping: boolean): RowBindings {
    return {
      // Kernels do not read what they write.
      degrees: filter === 'all' ? this.#unused('unusedIn') : this.degrees(n),
      rowLength: this.rowLength(n, filter),
      rowStart: this.rowStart(n),
      undecidedRows: this.undecidedRows(n),
      cursors: isGrid ? this.#unused('unusedOut') : this.#scratch.take('cursors', 4 * n),
      keptColumns: isKeeping ? this.#scratch.take('keptColumns', KEPT_BYTES * n) : this.#unused('unusedKept'),
      unused: this.#unused('unusedOut'),
    };
  }

  /** Bound where a kernel asks for a buffer that it never touches. */
  #unused(which: 'unusedIn' | 'unusedOut' | 'unusedKept'): GPUBuffer {
    return this.#scratch.take(which, 256);
  }

  destroy(): void {
    this.#scratch.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}
