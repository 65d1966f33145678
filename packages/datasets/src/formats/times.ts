import {quoted} from './errors.ts';

/** A date, and a time of day with a zone or without. */
const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(\.\d+)?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/**
 * Seconds of the epoch from a timestamp in ISO 8601, such as `2024-05-01T12:30:00Z` or `2024-05-01 12:30`, to float64;
 * NaN for any other text. Without a zone the time is in UTC, whatever the zone of the machine.
 */
export function secondsOf(text: string): number {
  const [, date, minutes = '00:00', seconds = '00', fraction = '.0', zone = 'Z'] = ISO.exec(text.trim()) ?? [];
  if (date === undefined) return NaN;
  const wall = Date.parse(`${date}T${minutes}:${seconds}Z`);
  // 24:00 and February 30 name another day.
  if (!Number.isFinite(wall) || !new Date(wall).toISOString().startsWith(`${date}T${minutes}`)) return NaN;
  return wall / 1000 - secondsOfZone(zone) + Number(fraction);
}

/** The value of a time: a number as it is, or the seconds of a timestamp; NaN for anything else. */
export function timeOf(value: unknown, toNumber: (text: string) => number = () => NaN): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return NaN;
  const number = toNumber(value);
  return Number.isNaN(number) ? secondsOf(value) : number;
}

/** What a time may be, for messages. */
export function expectedTime(name: string, text: string): string {
  return `${name} = ${quoted(text)}; expected a finite number, or a timestamp such as 2024-05-01T12:30:00Z`;
}

function secondsOfZone(zone: string): number {
  const [, sign, hours, minutes = '00'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  if (sign === undefined) return 0;
  const seconds = 3600 * Number(hours) + 60 * Number(minutes);
  return sign === '-' ? -seconds : seconds;
}
