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

/** What people know an adapter by: llvmpipe and SwiftShader by their description, a GPU by its device too. */
export function adapterName(info: {readonly device: string; readonly description: string}): string {
  const {device, description} = info;
  const firstWord = description.split(/[\s:]/, 1)[0].toLowerCase();
  const isRepeated = device === '' || device.toLowerCase().startsWith(firstWord);
  return (isRepeated ? description : `${device} (${description})`) || device || 'unnamed adapter';
}
