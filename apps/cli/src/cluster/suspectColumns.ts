import type {PointSet} from '@epsball/clustering';

/** Fewer points are monotone by chance. */
const MONOTONE_POINTS_MIN = 6;

/** Words of a name. A name ends in one, too: `starttime`. */
const TIME_WORDS = /^(?:day|epoch|hour|month|t|ts|utc|week|year)$|(?:date|datetime|stamp|time)$/;
const ID_WORDS = /^(?:id|ids|idx|index|fid|gid|oid|pid|rid|uid|row|rowid|objectid|uuid)$/;

/** Time stamps from 1990 to 2100 in seconds; other units are 10³, 10⁶ and 10⁹ times as many. */
const EPOCH_MIN = Date.UTC(1990) / 1000;
const EPOCH_MAX = Date.UTC(2100) / 1000;
const EPOCH_UNITS = [1, 1e3, 1e6, 1e9];

/**
 * One line for people about columns that are hardly coordinates: identifiers and times by their names, times by their
 * values, and columns that never fall or never rise, as counters and times do in a log. Empty without such columns, and
 * for a single column, which is the only one there is.
 */
export function describeSuspects(points: PointSet, columns: readonly string[]): string {
  const found = columns.map((name, axis) => ({name, why: suspicionOf(name, points, axis)}));
  const suspects = found.filter(({why}) => why !== undefined);
  if (suspects.length === 0 || columns.length < 2) return '';
  const reasons = suspects.map(({name, why}) => `column ${name} ${why}`).join(', ');
  const others = found.filter(({why}) => why === undefined).map(({name}) => name);
  if (others.length === 0) return `${reasons}; choose columns with --columns`;
  return `${reasons}; --columns ${others.join(',')} leaves ${suspects.length === 1 ? 'this column' : 'these'} out`;
}

/** Why a column is hardly a coordinate; reads after its name: `is a time by its name`. */
function suspicionOf(name: string, points: PointSet, axis: number): string | undefined {
  const words = name
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}]+/u);
  if (words.some((word) => TIME_WORDS.test(word))) return 'is a time by its name';
  if (words.some((word) => ID_WORDS.test(word))) return 'is an identifier by its name';
  return suspicionOfValues(points, axis);
}

function suspicionOfValues({coords, dim}: PointSet, axis: number): string | undefined {
  const n = coords.length / dim;
  if (n === 0) return undefined;
  let [least, most, increases, decreases, dates] = [Infinity, -Infinity, 0, 0, 0];
  for (let at = axis; at < coords.length; at += dim) {
    const value = coords[at];
    least = Math.min(least, value);
    most = Math.max(most, value);
    if (at >= dim && value > coords[at - dim]) increases++;
    if (at >= dim && value < coords[at - dim]) decreases++;
    if (isDate(value)) dates++;
  }
  const isEpoch = EPOCH_UNITS.some((unit) => least >= EPOCH_MIN * unit && most <= EPOCH_MAX * unit);
  if (isEpoch || dates === n) return 'is a time by its values';
  if (n < MONOTONE_POINTS_MIN || least === most) return undefined;
  if (decreases === 0) return 'never decreases, like a counter or a time';
  return increases === 0 ? 'never increases, like a countdown' : undefined;
}

/** Whether a number reads as a date of the years 1900 to 2100: 20261124. */
function isDate(value: number): boolean {
  if (!Number.isInteger(value) || value < 19_000_101 || value > 21_001_231) return false;
  const month = Math.floor(value / 100) % 100;
  const day = value % 100;
  return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}
