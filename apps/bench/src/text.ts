/**
 * Plain text columns, two spaces apart. The last column is not padded.
 *
 * @param rows  cells by row; the first row is the head, if there is one
 */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [c, cell] of row.entries()) widths[c] = Math.max(widths[c] ?? 0, cell.length);
  }
  const lines = rows.map((row) =>
    row.map((cell, c) => (c === row.length - 1 ? cell : cell.padEnd(widths[c]))).join('  '),
  );
  return `${lines.join('\n')}\n`;
}

const GROUPED = new Intl.NumberFormat('en-US');

/** `1234567` as `1,234,567`. */
export function grouped(value: number): string {
  return GROUPED.format(value);
}

/** A share of a whole: `12.3 %`; a dash where the whole is empty. */
export function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
}

/** Milliseconds with about three digits: `0.42 ms`, `130 ms`, `12.3 s`. */
export function duration(ms: number): string {
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms.toFixed(ms < 10 ? 2 : ms < 100 ? 1 : 0)} ms`;
}

/** What people know an adapter by. */
export function adapterName(info: {readonly device: string; readonly description: string}): string {
  if (info.device === '' || info.description.includes(info.device)) return info.description || 'unnamed adapter';
  return `${info.device} ${info.description}`.trim();
}
