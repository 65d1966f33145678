import type {PointSet} from '@epsball/clustering';

/** Points of a file, with its columns of numbers. */
export interface FilePoints extends PointSet {
  /** Names of the axes; empty if the file has none. */
  readonly columns: readonly string[];
  /** All columns of numbers, from which axes can be chosen; empty if the file has no names. */
  readonly available: readonly string[];
}

/** A file that cannot be read; the message names the file, what is wrong and what is expected. */
export class FileError extends Error {
  override readonly name = 'FileError';

  constructor(file: string, problem: string) {
    super(`${file}: ${problem}`);
  }
}

/** Pairs of names that are coordinates, in the order of preference. */
const KNOWN_AXES = [
  ['x', 'y', 'z'],
  ['x', 'y'],
  ['lon', 'lat'],
  ['lng', 'lat'],
  ['long', 'lat'],
  ['longitude', 'latitude'],
];

/** The columns to take as axes: chosen ones, else well-known names, else all. */
export function chooseAxes(
  file: string,
  available: readonly string[],
  chosen: readonly string[] | undefined,
): string[] {
  if (available.length === 0) throw new FileError(file, 'has no column of numbers; expected at least one');
  if (chosen === undefined) {
    const lower = available.map((name) => name.toLowerCase());
    const known = KNOWN_AXES.find((names) => names.every((name) => lower.includes(name)));
    return known ? known.map((name) => available[lower.indexOf(name)]) : [...available];
  }
  const missing = chosen.find((name) => !available.includes(name));
  if (missing !== undefined) {
    throw new FileError(file, `has no column ${missing}; expected one of ${available.join(', ')}`);
  }
  return [...chosen];
}
