import {escapeHtml, formatFactor, formatMs} from '@epsball/cli/command';
import {escapeMarkdown} from '../escape.ts';
import {tableHtml, type TableCell} from '../table.ts';
import type {CellChange, ResultComparison} from './compareResults.ts';

/** Markdown lists at most so many cells beyond noise. */
const MOST_LISTED = 40;
const METHOD =
  'Ratio of our time to that of the baseline. With three processes or more on both sides a cell is judged by the 95 % interval of its ratio, all cells together (Welch’s t on the logarithms of the processes’ medians, Bonferroni); with fewer only the ratio is shown. Run bench with --processes 3.';

const WORDS = {
  failed: 'failed',
  wrong: 'wrong',
  missing: 'missing',
  slower: 'slower',
  unjudged: 'not judged',
  same: 'the same',
  faster: 'faster',
} as const;

/** `slower: 3.00× [2.61, 3.45] the time, milanesi: …` */
export function changeLine(change: CellChange): string {
  const {kind, ratio, reason, name} = change;
  if (ratio === null) return `${WORDS[kind]}: ${reason === '' ? '' : `${reason}, `}${name}`;
  return `${WORDS[kind]}: ${ratioText(change)} the time, ${name}`;
}

/** With its interval only if the cell is judged. */
function ratioText({kind, ratio}: CellChange): string {
  if (ratio === null) return '';
  const interval =
    kind === 'unjudged' ? '' : ` [${formatFactor(ratio.low).slice(0, -1)}, ${formatFactor(ratio.high).slice(0, -1)}]`;
  return formatFactor(ratio.value) + interval;
}

/** `1 slower, 11 the same, 2 faster` */
export function comparisonCounts({changes}: ResultComparison): string {
  const parts = Object.entries(WORDS)
    .map(([kind, word]) => ({word, count: changes.filter((one) => one.kind === kind).length}))
    .filter(({count}) => count > 0);
  return parts.length === 0 ? 'no cells compared' : parts.map(({count, word}) => `${count} ${word}`).join(', ');
}

/** The section of the page; cells beyond noise are coloured. */
export function comparisonHtml(comparison: ResultComparison): string {
  const rows = comparison.changes.map((change): TableCell[] => {
    const {kind, name, oursMs, baseMs, reason} = change;
    const isBad = ['failed', 'wrong', 'missing', 'slower'].includes(kind);
    return [
      {text: name},
      {text: oursMs === null ? '–' : formatMs(oursMs)},
      {text: formatMs(baseMs)},
      {text: change.ratio === null ? reason : ratioText(change)},
      {text: WORDS[kind], tone: isBad ? 'bad' : kind === 'faster' ? 'winner' : 'faint'},
    ];
  });
  const unmatched = comparison.unmatched.map((place) => `<li>${escapeHtml(place)}</li>`).join('');
  return `<section id="comparison"><h2>Compared with the baseline: ${escapeHtml(comparisonCounts(comparison))}</h2>
<p class="small">${escapeHtml(METHOD)} ${escapeHtml(comparison.loads)}.</p>
${unmatched === '' ? '' : `<p class="small">Without a baseline:</p><ul class="small">${unmatched}</ul>`}
${tableHtml({title: 'Cells', columns: ['cell', 'ours', 'baseline', 'ratio', 'change'], rows})}
</section>`;
}

/** For a pull request: what is beyond noise, and a count of the rest. */
export function comparisonMarkdown(comparison: ResultComparison): string {
  const changed = comparison.changes.filter(({kind}) => kind !== 'same' && kind !== 'unjudged');
  const rows = changed.slice(0, MOST_LISTED).map((change) => {
    const {kind, name, oursMs, baseMs, ratio, reason} = change;
    const cells = [
      kind,
      name,
      oursMs === null ? '–' : formatMs(oursMs),
      formatMs(baseMs),
      ratio === null ? reason : ratioText(change),
    ];
    return `| ${cells.map(escapeMarkdown).join(' | ')} |`;
  });
  const head = ['| change | cell | ours | baseline | ratio |', '| --- | --- | ---: | ---: | ---: |'];
  return [
    `**Benchmarks: ${comparisonCounts(comparison)}**`,
    '',
    ...(rows.length === 0 ? [] : [...head, ...rows, '']),
    ...(changed.length > MOST_LISTED ? [`${changed.length - MOST_LISTED} more cells changed.`, ''] : []),
    escapeMarkdown(`${METHOD} ${comparison.loads}.`),
    '',
  ].join('\n');
}
