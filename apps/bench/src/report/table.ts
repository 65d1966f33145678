import {escapeHtml} from '@epsball/cli/command';

export interface TableCell {
  readonly text: string;
  /** A second, smaller line. */
  readonly note?: string | undefined;
  /** `bad`: a failure or a broken limit; `faint`: left out; `document`: not our number; `winner`: the fastest. */
  readonly tone?: 'bad' | 'faint' | 'document' | 'winner';
  /** HTML instead of the text. */
  readonly html?: string;
}

export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly TableCell[])[];
  /** Default: h4. */
  readonly heading?: 'h2' | 'h4';
}

/** A cell without a value. */
const NOTHING = '–';

export function plain(text: string, note?: string): TableCell {
  return {text, note};
}

export function faint(text: string = NOTHING): TableCell {
  return {text, tone: 'faint'};
}

/** Tables of more rows are folded. */
const FOLD_FROM = 12;
/** Characters from which a cell is wide, so that a narrow screen does not break it over many lines. */
const LONG_TEXT = 60;
const NUMBER = /^(?:[†‡≈<]\s?)?[-–]?[\d,.]*(?:\s?(?:ns|µs|ms|s|min|h|%|×|B|GB\/s|steps))?(?:\s\(.*\))?$/;

/** A table under its heading, in a fold if it is long or shall be. A column of numbers stands right. */
export function tableHtml({title, columns, rows, heading = 'h4'}: Table, isFolded = rows.length >= FOLD_FROM): string {
  const isNumber = columns.map((_, c) => c > 0 && rows.every((row) => NUMBER.test(row[c]?.text ?? '')));
  const head = columns.map((name, c) =>
    name === '' ? '<td></td>' : `<th scope="col"${isNumber[c] ? ' class="number"' : ''}>${escapeHtml(name)}</th>`,
  );
  const body = rows.map((row) => `<tr>${row.map((cell, c) => cellHtml(cell, isNumber[c])).join('')}</tr>`);
  const html = `<div class="scroll" tabindex="0" role="group" aria-label="${escapeHtml(title)}"><table class="sortable">
<thead><tr>${head.join('')}</tr></thead>
<tbody>
${body.join('\n')}
</tbody></table></div>`;
  if (!isFolded) return `<${heading}>${escapeHtml(title)}</${heading}>\n${html}`;
  return `<details><summary>${escapeHtml(title)}, ${rows.length} ${rows.length === 1 ? 'row' : 'rows'}</summary>\n${html}\n</details>`;
}

/** HTML needs no end tag of a cell; the tables of a full report have 25,000. */
function cellHtml({text, note, tone, html}: TableCell, isNumber: boolean): string {
  // Half of all cells. The style sheet writes the dash.
  if (text === NOTHING && note === undefined && html === undefined) return '<td>';
  const width = isNumber ? 'number' : text.length > LONG_TEXT ? 'long' : '';
  const classes = [width, tone ?? ''].filter((name) => name !== '').join(' ');
  const small = note === undefined ? '' : `<small>${escapeHtml(note)}</small>`;
  return `<td${classes === '' ? '' : ` class="${classes}"`}>${html ?? escapeHtml(text)}${small}`;
}
