import {documents} from './documents.ts';
import type {DocumentEntry, Shown} from './entry.ts';

/** Longer lists of numbers are counted instead of printed. */
const MOST_PRINTED = 6;

const START = '<!-- documents: written by pnpm --filter @epsball/benchmarks papers -->';
const END = '<!-- /documents -->';

/** The text of `docs/papers.md` with its table of entries as it should be. Markers begin and end the table. */
export function withPaperTable(text: string): string {
  const [before, after] = [text.indexOf(START), text.indexOf(END)];
  if (before < 0 || after < before) throw new Error(`the text has no ${START} before ${END}`);
  return `${text.slice(0, before)}${START}\n\n${paperTable()}\n\n${text.slice(after)}`;
}

/**
 * The table of `docs/papers.md`: every entry of the four documents, the document's own words, and where this repository
 * has it.
 *
 * @returns  Markdown, without a newline at its end
 */
function paperTable(): string {
  return documents
    .map(({title, entries}) =>
      [
        `### ${title}`,
        '',
        '| entry | what | the document | here |',
        '|---|---|---|---|',
        ...entries.map(
          (entry) => `| ${[labelOf(entry), entry.what, wordsOf(entry), placeOf(entry.shown)].join(' | ')} |`,
        ),
      ].join('\n'),
    )
    .join('\n\n');
}

function labelOf({id, label}: DocumentEntry): string {
  return `<a id="${id}"></a>${label}`;
}

function wordsOf({printed, kind}: DocumentEntry): string {
  if (printed.length === 0) return '–';
  if (printed.length > MOST_PRINTED) return `${printed.length} numbers`;
  const quotes = printed.map((text) => `“${plainText(text)}”`);
  return kind === 'equation' ? quotes.join(', ').replaceAll('\\', String.raw`\\`) : quotes.join(', ');
}

/** Without the document's emphasis and TeX. */
export function plainText(text: string): string {
  return text
    .replaceAll(/\*\*|\$|`/g, '')
    .replaceAll(/\*(?=\S)([^*]+)\*/g, '$1')
    .replace(/^- /, '')
    .replaceAll(String.raw`\,`, ' ')
    .replaceAll(String.raw`\epsilon`, 'ε')
    .replaceAll(String.raw`\times`, '×')
    .replaceAll(String.raw`\cdot`, '·')
    .replaceAll(String.raw`\log`, 'log')
    .replaceAll('n^2', 'n²');
}

function placeOf(shown: Shown): string {
  if (shown.by === 'suites') return `${shown.suites.map((id) => `\`${id}\``).join(', ')}. Holds if ${shown.rule}`;
  if (shown.by === 'nothing') return `not here: ${shown.reason}`;
  return shown.files.map((file) => `[${baseName(file)}](../${file})`).join(', ') + noteOf(shown.note);
}

function noteOf(note: string | undefined): string {
  return note === undefined ? '' : `: ${note}`;
}

function baseName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}
