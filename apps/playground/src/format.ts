const WHOLE = new Intl.NumberFormat('en');

/** `1,000,000`. */
export function formatCount(value: number): string {
  return WHOLE.format(value);
}

/** `0.42 ms`, `42 ms`, `4.2 s`. */
export function formatMs(ms: number): string {
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)} s`;
  if (ms >= 10) return `${ms.toFixed(0)} ms`;
  return `${ms.toPrecision(2)} ms`;
}

/** Three significant digits, without trailing zeros. */
export function formatNumber(value: number): string {
  return String(Number(value.toPrecision(3)));
}

/** `3.1 %`, with a space that does not break. */
export function formatShare(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : (100 * part) / whole;
  return `${percent === 0 || percent >= 10 ? percent.toFixed(0) : percent.toPrecision(2)}\u00a0%`;
}

const ORDINAL = new Intl.PluralRules('en', {type: 'ordinal'});
const SUFFIXES: Readonly<Record<string, string>> = {one: 'st', two: 'nd', few: 'rd', other: 'th'};

/** `1st`, `2nd`, `3rd`, `11th`. */
export function formatOrdinal(value: number): string {
  return `${formatCount(value)}${SUFFIXES[ORDINAL.select(value)]}`;
}

/** Text inside of an element of XML. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
