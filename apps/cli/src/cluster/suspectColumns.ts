import {meaningOfName, type PointSet} from '@epsball/clustering';
import {isTime} from '@epsball/datasets';

/** Fewer points are monotone by chance. */
const MONOTONE_POINTS_MIN = 6;

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
  const meaning = meaningOfName(name);
  if (meaning === 'time') return 'is a time by its name';
  if (meaning === 'identifier') return 'is an identifier by its name';
  return suspicionOfValues(points, axis);
}

function suspicionOfValues(points: PointSet, axis: number): string | undefined {
  const {coords, dim} = points;
  if (isTime(points, axis)) return 'is a time by its values';
  let [increases, decreases] = [0, 0];
  for (let at = axis + dim; at < coords.length; at += dim) {
    if (coords[at] > coords[at - dim]) increases++;
    if (coords[at] < coords[at - dim]) decreases++;
  }
  if (coords.length / dim < MONOTONE_POINTS_MIN || increases + decreases === 0) return undefined;
  if (decreases === 0) return 'never decreases, like a counter or a time';
  return increases === 0 ? 'never increases, like a countdown' : undefined;
}
