import {Scratch, type Gpu} from '@epsball/gpu';
import type {EdgeFilter, RowBindings} from './rowKernels.ts';

/** Columns kept per row, as in gridRows.wgsl. */
const KEPT = 7;
/** Bytes per row: the number of columns, then the columns. */
const KEPT_BYTES: number = 4 * (1 + KEPT);

/** The arrays of a graph on the device, reused by the next graph. */
export class GraphBuffers implements Disposable {
  readonly #scratch: Scratch;
  /** Maximum bytes of a binding. */
  readonly #mostBytes: number;

  constructor(gpu: Gpu) {
    this.#mostBytes = Math.min(gpu.device.limits.maxStorageBufferBindingSize, gpu.device.limits.maxBufferSize);
    this.#scratch = new Scratch(gpu, 'neighbor-graph');
  }

  degrees(n: number): GPUBuffer {
    return this.#scratch.take('degrees', 4 * (n + 1));
  }

  /** The row lengths of the filter `all` are the degrees. */
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

  /** Whether a kernel can bind the kept columns of n rows. */
  canKeep(n: number): boolean {
    return KEPT_BYTES * n <= this.#mostBytes;
  }

  /** Bindings for kernels over the rows of a filter. With `isKeeping` the count keeps columns for the write. */
  bindings(n: number, filter: EdgeFilter, isGrid: boolean, isKeeping: boolean): RowBindings {
    return {
      // A kernel may not bind a buffer that it writes a second time.
      degrees: filter === 'all' ? this.#unused('unusedIn') : this.degrees(n),
      rowLength: this.rowLength(n, filter),
      rowStart: this.rowStart(n),
      undecidedRows: this.undecidedRows(n),
      cursors: isGrid ? this.#unused('unusedOut') : this.#scratch.take('cursors', 4 * n),
      keptColumns: isKeeping ? this.#scratch.take('keptColumns', KEPT_BYTES * n) : this.#unused('unusedKept'),
      unused: this.#unused('unusedOut'),
    };
  }

  /** A placeholder for a binding that the kernel does not use. */
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
