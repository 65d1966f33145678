import {InvalidParameterError} from '@epsball/clustering';
import {MAX_GRID_DIM} from '@epsball/spatial-grid';
import {checkChoice, checkInteger} from './checks.ts';

/** Least bytes for the data of one task. */
export const MEMORY_MIN: number = 64e6;

const CHUNK_ROWS_MAX = 2 ** 22;
const RANGE_ROWS_MAX = 2 ** 24;

/** Sizes of the pieces of a run, so that each fits the memory of a task. */
export interface Sizes {
  readonly capacity: number;
  readonly chunkRows: number;
  readonly rangeRows: number;
}

/**
 * Bytes of a tile for each point that it reads: coordinates as read, sorted and while sorting (3·dim·b); rows 8; labels
 * and core flags 5; grid order and cells (`buildUniformGrid`: 4, and at most 16 dense or 4 + 4·dim + 5·3^(dim − 1)
 * sparse); disjoint sets 9; the report's flags 3; what the file's segments hold while they are copied 4.
 *
 * @throws InvalidParameterError  if `dim` or `precision` is out of range
 */
export function tileBytesPerPoint(dim: number, precision: 'float32' | 'float64'): number {
  checkLayout(dim, precision);
  const bytes = precision === 'float32' ? 4 : 8;
  const cells = dim > MAX_GRID_DIM ? 0 : Math.max(16, 4 + 4 * dim + 5 * 3 ** (dim - 1));
  return 3 * dim * bytes + 8 + 5 + 4 + cells + 9 + 3 + 4;
}

/** @throws InvalidParameterError  if the memory is below `MEMORY_MIN`, or `dim` or `precision` is out of range */
export function sizesFor(memoryBytes: number, dim: number, precision: 'float32' | 'float64'): Sizes {
  if (typeof memoryBytes !== 'number' || !(memoryBytes >= MEMORY_MIN)) {
    throw new InvalidParameterError('memory', memoryBytes, `at least ${MEMORY_MIN} bytes for each task`);
  }
  checkLayout(dim, precision);
  const coordBytes = dim * (precision === 'float32' ? 4 : 8);
  return {
    capacity: Math.floor(memoryBytes / tileBytesPerPoint(dim, precision)),
    // Coordinates twice, rows, and tiles with their halos.
    chunkRows: Math.min(CHUNK_ROWS_MAX, Math.floor(memoryBytes / (3 * coordBytes + 24))),
    // A label of 8 bytes, a flag, and the segment of a tile.
    rangeRows: Math.min(RANGE_ROWS_MAX, Math.floor(memoryBytes / 32)),
  };
}

function checkLayout(dim: number, precision: string): void {
  checkInteger('dim', dim ?? Number.NaN);
  checkChoice('precision', precision ?? null, ['float32', 'float64']);
}
