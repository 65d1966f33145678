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

/** What people know an adapter by. */
export function adapterName(info: {readonly device: string; readonly description: string}): string {
  if (info.device === '' || info.description.includes(info.device)) return info.description || 'unnamed adapter';
  return `${info.device} ${info.description}`.trim();
}
