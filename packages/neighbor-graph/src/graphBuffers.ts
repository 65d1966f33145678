import {Owner, Scratch, type BufferSlice, type Gpu} from '@epsball/gpu';
import type {EdgeFilter} from './neighborGraph.ts';
import type {RowBindings} from './rowSteps.ts';

/** Columns kept per row, as in gridRows.wgsl. */
const KEPT = 7;
/** Parts of a buffer are bound at multiples of this on every device. */
const ALIGNMENT = 256;
/** Bytes per row: the number of columns, then the columns. */
const KEPT_BYTES: number = 4 * (1 + KEPT);

export class GraphBuffers extends Owner {
  readonly #scratch: Scratch;
  readonly #mostBytes: number;

  constructor(gpu: Gpu) {
    super();
    this.#mostBytes = Math.min(gpu.device.limits.maxStorageBufferBindingSize, gpu.device.limits.maxBufferSize);
    this.#scratch = this.own(new Scratch(gpu, 'neighbor-graph'));
  }

  degrees(n: number): GPUBuffer {
    return this.#scratch.take('degrees', 4 * (n + 1));
  }

  /** The row lengths of the filter `all` are the degrees. */
  rowLength(n: number, filter: EdgeFilter): GPUBuffer {
    return filter === 'all' ? this.degrees(n) : this.#scratch.take('rowLength', 4 * (n + 1));
  }

  /** With room for the list of undecided rows. */
  rowStart(n: number): GPUBuffer {
    return this.#scratch.take('rowStart', listOffset(n) + 4 * (n + 1));
  }

  keptStart(n: number): GPUBuffer {
    return this.#scratch.take('keptStart', 4 * (n + 1));
  }

  undecidedRows(n: number): BufferSlice {
    return {buffer: this.rowStart(n), offset: listOffset(n), size: 4 * (n + 1)};
  }

  /** Whether a kernel can bind the kept columns of n rows. */
  canKeep(n: number): boolean {
    return KEPT_BYTES * n <= this.#mostBytes;
  }

  /** Bindings for kernels over the rows of a filter. With `isKeeping` the count keeps columns for the write. */
  bindings(n: number, filter: EdgeFilter, isGrid: boolean, isKeeping: boolean): RowBindings {
    return {
      // Placeholders for bindings that the kernel does not use. It may not bind a buffer that it writes a second time.
      degrees: filter === 'all' ? this.#scratch.take('unusedIn', 256) : this.degrees(n),
      rowLength: this.rowLength(n, filter),
      rowStart: this.rowStart(n),
      undecidedRows: this.undecidedRows(n),
      cursors: isGrid ? this.#scratch.take('unusedOut', 256) : this.#scratch.take('cursors', 4 * n),
      keptColumns: isKeeping
        ? this.#scratch.take('keptColumns', KEPT_BYTES * n)
        : this.#scratch.take('unusedKept', 256),
    };
  }
}

/** First byte of the list of undecided rows, behind the n + 1 starts. */
function listOffset(n: number): number {
  return Math.ceil((4 * (n + 1)) / ALIGNMENT) * ALIGNMENT;
}
