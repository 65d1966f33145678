import type {PointSet} from '@epsball/clustering';
import {writeFileRows} from './fileRows.ts';

/** Names of the axes in a written file: x, y, z, or x0, x1 … from four dimensions on. */
export function axisNames(dim: number): string[] {
  return Array.from({length: dim}, (_, d) => (dim <= 3 ? 'xyz'[d] : `x${d}`));
}

/** Writes points with enough digits to read back the same numbers. */
export function writeCsv(
  path: string,
  {coords, dim}: PointSet,
  delimiter: string,
  signal?: AbortSignal,
): Promise<void> {
  const row = (i: number): string => {
    let text = formatNumber(coords[i * dim]);
    for (let d = 1; d < dim; d++) text += delimiter + formatNumber(coords[i * dim + d]);
    return text;
  };
  return writeFileRows(path, {head: `${axisNames(dim).join(delimiter)}\n`, n: coords.length / dim, row}, signal);
}

function formatNumber(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
