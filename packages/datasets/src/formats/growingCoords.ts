import type {Precision} from '../coords.ts';
import {allocate, type Coords} from './numbers.ts';

/** The first rows may be shorter than most, so they do not predict the number of values in a file. */
const PREDICTING_BYTES = 2 ** 16;

/** Coordinates of a file whose number of points is unknown before its end. */
export class GrowingCoords {
  values: Coords;
  length = 0;
  readonly #path: string;
  readonly #size: number | undefined;

  /**
   * @param path  names the file in errors
   * @param size  bytes in the file, where known: predicts the number of values
   */
  constructor(path: string, precision: Precision, size: number | undefined) {
    this.#path = path;
    this.#size = size;
    this.values = allocate(path, 0, precision);
  }

  /** Makes room for `count` more values. `bytesDone` bytes of the file hold the values so far. */
  reserve(count: number, bytesDone: number): void {
    const needed = this.length + count;
    if (needed <= this.values.length) return;
    const predicted =
      this.#size !== undefined && bytesDone > PREDICTING_BYTES
        ? Math.ceil((needed * this.#size * 1.02) / bytesDone)
        : 0;
    const precision = this.values instanceof Float32Array ? 'float32' : 'float64';
    const grown = allocate(this.#path, Math.max(predicted, Math.ceil(needed * 1.5), 1024), precision);
    grown.set(this.values.subarray(0, this.length));
    this.values = grown;
  }

  finish(): Coords {
    return this.length === this.values.length ? this.values : this.values.slice(0, this.length);
  }
}
