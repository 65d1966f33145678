import type {LeftColumn} from '@epsball/clustering';
import {escapeControls, type LoadedPoints} from '@epsball/datasets';

/** Of one reason more columns are counted only. */
const NAMES_SHOWN = 6;

type ReadColumns = Pick<LoadedPoints, 'columns' | 'left'>;

/** The columns that were left out, for a report; null if there are none, or the caller chose. */
export function leftOf({left = []}: ReadColumns): {name: string; why: string}[] | null {
  return left.length === 0 ? null : left.map(({name, why}) => ({name, why}));
}

/** The columns by reason: `id (identifier by its name); mag, depth (beside lat, lon)`. */
export function describeLeft(left: readonly LeftColumn[]): string {
  const byReason = new Map<string, string[]>();
  for (const {name, why} of left) byReason.set(why, [...(byReason.get(why) ?? []), name === '' ? 'unnamed' : name]);
  const reasons = Array.from(byReason, ([why, names]) => {
    const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : '';
    return `${names.slice(0, NAMES_SHOWN).join(', ')}${more} (${why})`;
  });
  return `${reasons.join('; ')}; --columns chooses`;
}

/**
 * A line for commands without a table: the columns taken, and those left out. Empty if none was left out, except for a
 * query.
 */
export function columnsLine({columns = [], left = []}: ReadColumns, sql?: string): string {
  if (left.length === 0 && sql === undefined) return '';
  const others = left.length === 0 ? '' : `; left out: ${describeLeft(left)}`;
  return `${escapeControls(`columns ${columns.join(', ')}${others}`)}\n`;
}
