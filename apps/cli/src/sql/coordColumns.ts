import type {DuckDBVector} from '@duckdb/node-api';
import {DatasetFormatError} from '@epsball/datasets';

/** Where the values of a column of a query go. */
export interface ValueColumn {
  /** Takes the values of consecutive rows, the first of which is `row`. */
  take(vector: DuckDBVector, row: number): void;
}

/** What the values of a column are, and what is expected of them. */
export interface ValueKind {
  /** What is read, for errors: `--sql`, or a file. */
  readonly what: string;
  readonly name: string;
  readonly expected: string;
  /** Whether NULL and blank text become NaN. */
  readonly mayMiss: boolean;
  /** The number of a value; NaN for one that has none. Default: values are numbers. */
  readonly numberOf?: ((value: unknown) => number) | undefined;
}

/** Numbers of points, axis by axis, that are side by side in one array. */
export class CoordColumns<Coords extends Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>> {
  readonly #dim: number;
  readonly #type: new (source: number | ArrayBuffer) => Coords;
  #coords: Coords;

  /** @param n  expected points */
  constructor(type: new (source: number | ArrayBuffer) => Coords, dim: number, n: number) {
    this.#dim = dim;
    this.#type = type;
    this.#coords = new type(n * dim);
  }

  axis(d: number, kind: ValueKind): ValueColumn {
    const dim = this.#dim;
    const isPlain = kind.numberOf === undefined;
    return {
      take: (vector, row) => {
        const count = vector.itemCount;
        const coords = this.#room(row + count);
        for (let i = 0, at = row * dim + d; i < count; i++, at += dim) {
          const value = vector.getItem(i);
          coords[at] = isPlain && typeof value === 'number' ? value : otherNumber(value, kind, row + i);
        }
      },
    };
  }

  /** The numbers of the first n points. */
  finish(n: number): Coords {
    const {buffer, length} = this.#coords;
    const wanted = n * this.#dim;
    return wanted === length ? this.#coords : new this.#type(buffer.slice(0, wanted * this.#coords.BYTES_PER_ELEMENT));
  }

  /** A query that draws random rows may return more than were counted. */
  #room(n: number): Coords {
    const {length, buffer, BYTES_PER_ELEMENT} = this.#coords;
    if (n * this.#dim <= length) return this.#coords;
    this.#coords = new this.#type(buffer.transfer(Math.ceil(1.5 * n) * this.#dim * BYTES_PER_ELEMENT));
    return this.#coords;
  }
}

function otherNumber(value: unknown, {what, name, expected, mayMiss, numberOf}: ValueKind, row: number): number {
  const number = value === null || numberOf === undefined ? NaN : numberOf(value);
  const isMissing = value === null || (typeof value === 'string' && value.trim() === '');
  if (!Number.isNaN(number) || (mayMiss && isMissing)) return number;
  const shown = value === null ? 'NULL' : JSON.stringify(value);
  throw new DatasetFormatError(what, `row ${row}: ${name} = ${shown}; expected ${expected}`);
}
