import {escapeHtml} from '@epsball/cli/command';
import type {Illustration} from './illustration.ts';
import type {Table, TableCell, TitledTable} from './table.ts';

/** Tables of more rows are folded. */
const FOLD_FROM = 12;

export function figureHtml({title, caption, body}: Omit<Illustration, 'name'>): string {
  return `<figure class="card">\n<h4>${escapeHtml(title)}</h4>\n${body}\n<figcaption>${escapeHtml(caption)}</figcaption>\n</figure>`;
}

/** A table under its heading; a long one in a fold. */
export function titledTableHtml({title, table}: TitledTable): string {
  const html = tableHtml(table, title);
  if (table.rows.length < FOLD_FROM) return `<h4>${escapeHtml(title)}</h4>\n${html}`;
  return `<details class="table"><summary>${escapeHtml(title)}, ${table.rows.length} rows</summary>\n${html}\n</details>`;
}

/** Characters from which a cell is wide, so that a narrow screen does not break it over many lines. */
const LONG_TEXT = 60;

function tableHtml({columns, rows}: Table, title: string): string {
  const head = columns.map(
    ({title: name, isNumber}) => `<th scope="col"${isNumber ? ' class="number"' : ''}>${escapeHtml(name)}</th>`,
  );
  const body = rows.map((row) => `<tr>${row.map((cell, c) => cellHtml(cell, columns[c].isNumber)).join('')}</tr>`);
  return `<div class="scroll" tabindex="0" role="region" aria-label="${escapeHtml(title)}">\n<table class="sortable">\n<thead><tr>${head.join('')}</tr></thead>\n<tbody>\n${body.join('\n')}\n</tbody>\n</table>\n</div>`;
}

function cellHtml({text, note, tone, share}: TableCell, isNumber: boolean): string {
  const width = isNumber ? 'number' : text.length > LONG_TEXT ? 'long' : '';
  const classes = [width, tone === 'plain' ? '' : tone].filter((name) => name !== '').join(' ');
  const small = note === undefined ? '' : `<small>${escapeHtml(note)}</small>`;
  const meter =
    share === undefined ? '' : `<span class="meter"><i style="width:${(share * 100).toFixed(0)}%"></i></span>`;
  return `<td${classes === '' ? '' : ` class="${classes}"`}>${escapeHtml(text)}${small}${meter}</td>`;
}
