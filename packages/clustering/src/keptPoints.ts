import {validatePoints, type PointSet} from './points.ts';

/**
 * Points for many runs: a copy that nothing modifies, in memory that worker threads share. What a run has made of them
 * serves the next: a variant on a GPU keeps them on its device, and the index is built again only where eps changes.
 */
export class KeptPoints implements PointSet {
  readonly coords: Float32Array | Float64Array;
  readonly dim: number;
  /** Names of the axes, where the input has them. */
  readonly columns?: readonly string[];
  readonly #indices = new Map<string, {readonly key: string; readonly index: unknown}>();
  readonly #mapped = new Map<string, KeptPoints>();

  /** @throws InvalidParameterError, InvalidPointsError  as `validatePoints` */
  constructor(points: PointSet & {readonly columns?: readonly string[]}) {
    validatePoints(points);
    const {coords, dim, columns} = points;
    this.coords = sharedCopy(coords);
    this.dim = dim;
    if (columns !== undefined) this.columns = columns;
  }

  /** These points in another space: made once for each key. */
  mapped(key: string, map: () => PointSet): KeptPoints {
    const known = this.#mapped.get(key);
    if (known !== undefined) return known;
    const made = new KeptPoints(map());
    this.#mapped.set(key, made);
    return made;
  }

  /** The index of a kind, if the last one has this key; else a new one, which replaces it. */
  index<Index>(kind: string, key: string, build: () => Index): Index {
    const last = this.#indices.get(kind);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an index of a kind has one type
    if (last?.key === key) return last.index as Index;
    // The old one is freed first, to keep the peak low.
    this.#indices.delete(kind);
    const index = build();
    this.#indices.set(kind, {key, index});
    return index;
  }
}

/**
 * An index of points, kept with `KeptPoints` and built anew for others. `kind` names package and type of the index,
 * which nothing modifies; `key` is what it depends on besides the points.
 */
export function keptIndex<Index>(points: PointSet, kind: string, key: string, build: () => Index): Index {
  return points instanceof KeptPoints ? points.index(kind, key, build) : build();
}

function sharedCopy(coords: Float32Array | Float64Array): Float32Array | Float64Array {
  // Pages that are not cross-origin isolated have none.
  const bytes = coords.byteLength;
  const buffer = typeof SharedArrayBuffer === 'undefined' ? new ArrayBuffer(bytes) : new SharedArrayBuffer(bytes);
  const copy = coords instanceof Float32Array ? new Float32Array(buffer) : new Float64Array(buffer);
  copy.set(coords);
  return copy;
}
