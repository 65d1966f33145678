import {existsSync, readdirSync, readFileSync} from 'node:fs';
import type {DbscanParams, PointSet} from '@epsball/clustering';
import type {DbscanCase} from './case.ts';
import {toPoints, type Precision} from './shapes.ts';

/** The stored failures. The path is the same from the sources and from a build. */
const REGRESSIONS = new URL('../fixtures/regressions/', import.meta.url);

/** A failure that a property found and shrank: `fixtures/regressions/<what it shows>.json`. */
interface Regression {
  readonly name: string;
  readonly precision: Precision;
  readonly dim: number;
  readonly eps: number;
  readonly minPts: number;
  readonly coords: readonly number[];
}

/**
 * The stored failures as cases, in the order of their file names.
 *
 * @throws Error  with the name of a file that is not a regression
 */
export function readRegressions(folder: URL = REGRESSIONS): DbscanCase[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort();
  return files.map((file) => {
    const parsed: unknown = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
    if (!isRegression(parsed)) throw new Error(`${file} is not a regression; expected the text of formatRegression`);
    const {name, precision, dim, eps, minPts, coords} = parsed;
    return {name: `regression: ${name}`, dim, params: {eps, minPts}, points: () => toPoints(precision, dim, coords)};
  });
}

/** The text of a regression file. −0 is written as -0, which JSON.parse reads back. */
export function formatRegression(name: string, {coords, dim}: PointSet, {eps, minPts}: DbscanParams): string {
  const precision: Precision = coords instanceof Float32Array ? 'float32' : 'float64';
  const numbers = Array.from(coords, (x) => (Object.is(x, -0) ? '-0' : String(x)));
  const head = JSON.stringify({name, precision, dim, eps, minPts}).slice(0, -1);
  return `${head},"coords":[${numbers.join(',')}]}\n`;
}

function isRegression(value: unknown): value is Regression {
  if (typeof value !== 'object' || value === null) return false;
  const {name, precision, dim, eps, minPts, coords}: Partial<Record<string, unknown>> = {...value};
  return (
    typeof name === 'string' &&
    (precision === 'float32' || precision === 'float64') &&
    [dim, eps, minPts].every((number) => typeof number === 'number') &&
    Array.isArray(coords) &&
    coords.every((x) => typeof x === 'number')
  );
}
