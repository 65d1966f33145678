import {coordinatePairs, findCoordinates, wordsOf} from '../metric/placeNames.ts';

/** A column that is no coordinate. */
export interface LeftColumn {
  readonly name: string;
  /** What it is instead: `time by its name`. */
  readonly why: string;
}

export interface ChosenColumns {
  /** What tells the coordinates: a latitude and a longitude, the names x, y and z, or that columns are numbers. */
  readonly by: 'place' | 'axes' | 'numbers';
  /** Their positions, axis by axis: a latitude before a longitude, x before y. */
  readonly taken: readonly number[];
  readonly left: readonly LeftColumn[];
}

/** Names that do not tell. */
export interface OpenColumns {
  /** The positions that a caller may mean, choice by choice; empty where nothing offers itself. */
  readonly choices: readonly (readonly number[])[];
}

/** Words of a name. A name ends in one, too: `starttime`; but not `candidate` and `lifetime`. */
const TIME_WORDS =
  /^(?:day|epoch|hour|month|t|ts|utc|week|year)$|(?<!candi|man|soli|up|vali)date$|(?:datetime|stamp)$|(?<!down|life|over|run|up)time$/;
const ID_WORDS =
  /^(?:code|fid|fips|gid|guid|id|ids|idx|imo|index|key|mmsi|objectid|oid|pid|postcode|rid|row|rowid|uid|unnamed|uuid|zip|zipcode)$/;

/** What a name says of its column, if that is no coordinate. The index of a data frame is written without a name. */
export function meaningOfName(name: string): 'time' | 'identifier' | undefined {
  if (name.trim() === '') return 'identifier';
  const words = wordsOf(name);
  if (words.some((word) => TIME_WORDS.test(word))) return 'time';
  return words.some((word) => ID_WORDS.test(word)) ? 'identifier' : undefined;
}

/**
 * Chooses the coordinates among the columns of a table by their names: one latitude and one longitude; else x, y and z;
 * else the columns of numbers that are neither times nor identifiers.
 *
 * @param names    of all columns
 * @param kindOf   what a column holds instead of numbers: `text`; undefined for numbers. Default: all hold numbers
 * @param onGlobe  whether the points are places: other columns than a latitude and a longitude, or Y and X, do not do
 * @returns        `choices` if the names do not tell: there are several places, or hardly coordinates
 */
export function chooseColumns(
  names: readonly string[],
  kindOf: (column: number) => string | undefined = () => undefined,
  onGlobe = false,
): ChosenColumns | OpenColumns {
  const pairs = coordinatePairs(names);
  const place = findCoordinates(names) ?? (pairs.length === 1 ? pairs[0] : undefined);
  if (place !== undefined) return chosen('place', names, place, kindOf);
  if (onGlobe) {
    const axes = axesOnGlobe(names);
    return axes === undefined ? {choices: pairs} : chosen('place', names, axes, kindOf);
  }
  if (pairs.length > 1) return {choices: pairs};
  const axes = axesOf(names);
  if (axes !== undefined) return chosen('axes', names, axes, kindOf);
  const numbers = Array.from(names.keys()).filter((k) => kindOf(k) === undefined);
  const likely = numbers.filter((k) => meaningOfName(names[k]) === undefined);
  // A single column is the only one there is.
  const taken = likely.length > 0 || names.length > 1 ? likely : numbers;
  if (taken.length > 0) return chosen('numbers', names, taken, kindOf);
  return {choices: numbers.length === names.length ? [numbers] : []};
}

function chosen(
  by: ChosenColumns['by'],
  names: readonly string[],
  taken: readonly number[],
  kindOf: (column: number) => string | undefined,
): ChosenColumns {
  const beside = `beside ${taken.map((k) => names[k]).join(', ')}`;
  const left = Array.from(names.keys()).filter((k) => !taken.includes(k));
  const whyOf = (k: number): string => {
    const meaning = meaningOfName(names[k]);
    return kindOf(k) ?? (meaning === undefined ? beside : `${meaning} by its name`);
  };
  return {by, taken, left: left.map((k) => ({name: names[k], why: whyOf(k)}))};
}

/** The columns y and x, where no other name tells of a place, and no z of points in space. */
function axesOnGlobe(names: readonly string[]): readonly number[] | undefined {
  if (names.some((name) => /lat|lng|lon|^\s*z\s*$/i.test(name))) return undefined;
  const axes = axesOf(names);
  return axes?.length === 2 ? axes.toReversed() : undefined;
}

/** The columns x and y, and z if there is one, each once; they may be fields of a structure, as `geometry.x`. */
function axesOf(names: readonly string[]): readonly number[] | undefined {
  const [xs, ys, zs] = [/^(?:.*\.)?x$/i, /^(?:.*\.)?y$/i, /^(?:.*\.)?z$/i].map((axis) =>
    Array.from(names.keys()).filter((k) => axis.test(names[k].trim())),
  );
  if (xs.length !== 1 || ys.length !== 1 || zs.length > 1) return undefined;
  return [...xs, ...ys, ...zs];
}
