import {bold} from './color.ts';

/** Longer times are in minutes, and from twelve times as long on in hours. */
const LONG_MS = 600_000;

/** Least width of a column whose cells are broken into lines. */
const BROKEN_WIDTH_MIN = 14;

/**
 * Text columns, two spaces apart. The last column is not padded. On a terminal the widest columns are broken at words,
 * so that the table fits. A head of capitals is bold where there are colours.
 *
 * @param rows   cells by row; the first row may be a head
 * @param width  of the terminal. Default: that of stdout; unlimited if stdout is no terminal
 */
export function formatTable(rows: readonly (readonly string[])[], width: number = terminalWidth()): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [c, cell] of row.entries()) widths[c] = Math.max(widths[c] ?? 0, cell.length);
  }
  fitWidths(widths, width - 2 * (widths.length - 1));
  const lines = rows.flatMap((row) => {
    const cells = row.map((cell, c) => (cell.length <= widths[c] ? [cell] : breakWords(cell, widths[c])));
    const height = Math.max(1, ...cells.map(({length}) => length));
    const isHead = row === rows[0] && row.length > 1 && row.every((cell) => cell === cell.toUpperCase());
    return Array.from({length: height}, (_, k) => {
      const line = cells.map((cell, c) => (c === row.length - 1 ? (cell[k] ?? '') : (cell[k] ?? '').padEnd(widths[c])));
      const text = k === 0 ? line.join('  ') : line.join('  ').trimEnd();
      return isHead ? bold(text) : text;
    });
  });
  return `${lines.join('\n')}\n`;
}

/** Narrows the widest columns until their sum is at most `most`, or none can be narrower. */
function fitWidths(widths: number[], most: number): void {
  let sum = widths.reduce((total, one) => total + one, 0);
  while (sum > most) {
    const widest = widths.indexOf(Math.max(...widths));
    if (widths[widest] <= BROKEN_WIDTH_MIN) return;
    widths[widest]--;
    sum--;
  }
}

function terminalWidth(): number {
  return process.stdout.isTTY ? Math.max(80, process.stdout.columns) : Infinity;
}

/** Lines of at most `width` characters, broken at spaces. A longer word is a line of its own. */
function breakWords(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1];
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

/** A readable name: the description of llvmpipe and SwiftShader, device and description of a GPU. */
export function adapterName(info: {readonly device: string; readonly description: string}): string {
  const {device, description} = info;
  const firstWord = description.split(/[\s:]/, 1)[0].toLowerCase();
  const isRepeated = device === '' || device.toLowerCase().startsWith(firstWord);
  return (isRepeated ? description : `${device} (${description})`) || device || 'unnamed adapter';
}

/** Three significant digits with a unit that fits: `850 µs`, `12.3 ms`, `4.56 s`, `40.0 min`, `9.00 h`. */
export function formatMs(exactMs: number): string {
  // Rounded first: 999.9 µs is 1.00 ms.
  const ms = Number(exactMs.toPrecision(3));
  if (ms < 1) return `${trim(ms * 1000)} µs`;
  if (ms < 1000) return `${trim(ms)} ms`;
  if (ms < LONG_MS) return `${trim(ms / 1000)} s`;
  return ms < 12 * LONG_MS ? `${trim(ms / 60_000)} min` : `${trim(ms / 3_600_000)} h`;
}

/** The power of ten of a number's first digit: 2 for 345. −∞ for 0. */
export function exponentOf(value: number): number {
  if (value === 0) return -Infinity;
  if (!Number.isFinite(value)) return exponentOf(Number.MAX_VALUE);
  // Unlike the floor of `Math.log10`, exact.
  return Number(value.toExponential().split('e')[1]);
}

/**
 * A number without the digits below a power of ten.
 *
 * @param exponent  of the last digit that stays: −2 for hundredths
 */
export function roundTo(value: number, exponent: number): string {
  const significant = exponentOf(value) + 1 - exponent;
  // A number that begins below is at most half of the last digit, or rounds to one.
  if (significant < 1) return String(Math.round(value / 10 ** exponent) * Number(`1e${exponent}`));
  return String(Number(value.toPrecision(Math.min(17, significant))));
}

/** An object of a report, with null in the place of infinity, which JSON has not. */
export type Nulled<Value, Key extends keyof Value> = Omit<Value, Key> & {readonly [K in Key]: Value[K] | null};

export function nulled<Value extends object, Key extends keyof Value>(
  value: Value,
  keys: readonly Key[],
): Nulled<Value, Key> {
  return {...value, ...Object.fromEntries(keys.map((key) => [key, value[key] === Infinity ? null : value[key]]))};
}

export function countNoise(labels: Int32Array): number {
  let count = 0;
  for (let i = 0; i < labels.length; i++) if (labels[i] < 0) count++;
  return count;
}

/** `171,075` */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** `12.3×` */
export function formatFactor(factor: number): string {
  return `${trim(factor)}×`;
}

/** `0.034` → `3.4 %` */
export function formatPercent(fraction: number): string {
  return `${trim(fraction * 100)} %`;
}

/** Three significant digits without an exponent. Zeros after the point are significant and stay. */
function trim(exact: number): string {
  if (exact === 0) return '0';
  const value = Number(exact.toPrecision(3));
  if (Math.abs(value) >= 1000) return formatCount(value);
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  const text = value.toFixed(Math.min(digits, 4));
  return Number(text) === 0 ? '0' : text;
}

/** A word as a shell takes it. */
export function shellWord(word: string): string {
  return /^[\w./@%+=:,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
