import {escapeHtml, formatFactor, formatMs} from '@epsball/cli/command';
import {escapeMarkdown} from '../escape.ts';
import type {CellChange, ResultComparison} from './compareResults.ts';

/** Markdown lists at most so many cells beyond noise. */
const MOST_LISTED = 40;

const METHOD =
  'Ratio of our time to that of the baseline, with its 95 % interval, all cells together (Welch’s t on the logarithms of the processes’ medians, Bonferroni).';
const ASSUMED =
  'Some cells have fewer than three processes on a side; there the spread between processes is assumed to be 10 %. Run `epsball bench --processes 3`.';

/** `slower: 3.00× [2.61, 3.45] the time, milanesi: …` */
export function changeLine(change: CellChange): string {
  return `${change.kind}: ${ratioText(change)}${change.name}`;
}

function ratioText({ratio, reason}: CellChange): string {
  if (ratio === null) return reason === '' ? '' : `${reason}, `;
  return `${formatFactor(ratio.ratio)} ${intervalText(ratio)} the time, `;
}

function intervalText({low, high}: {readonly low: number; readonly high: number}): string {
  return `[${formatFactor(low).slice(0, -1)}, ${formatFactor(high).slice(0, -1)}]`;
}

/** `1 slower, 11 the same, 2 faster` */
export function comparisonCounts({changes}: ResultComparison): string {
  const words = {
    failed: 'failed',
    wrong: 'wrong',
    missing: 'missing',
    slower: 'slower',
    same: 'the same',
    faster: 'faster',
  };
  const parts = Object.entries(words)
    .map(([kind, word]) => ({word, count: changes.filter((one) => one.kind === kind).length}))
    .filter(({count}) => count > 0);
  return parts.length === 0 ? 'no cells compared' : parts.map(({count, word}) => `${count} ${word}`).join(', ');
}

/** The section of the page; cells beyond noise are coloured. */
export function comparisonHtml(comparison: ResultComparison): string {
  const rows = comparison.changes.map((change) => {
    const {kind, name, oursMs, baseMs, ratio, reason} = change;
    const words =
      ratio === null ? escapeHtml(reason) : `${formatFactor(ratio.ratio)}<small>${intervalText(ratio)}</small>`;
    const tone = kind === 'same' ? 'faint' : kind === 'faster' ? 'faster' : 'slower';
    return `<tr><td>${escapeHtml(name)}</td><td class="number">${oursMs === null ? '–' : formatMs(oursMs)}</td><td class="number">${formatMs(baseMs)}</td><td class="number" data-value="${ratio?.ratio ?? 0}">${words}</td><td class="${tone}">${kind}</td></tr>`;
  });
  const unmatched = comparison.unmatched.map((place) => `<li>${escapeHtml(place)}</li>`).join('');
  return `<section id="comparison"><h2>Compared with the baseline: ${escapeHtml(comparisonCounts(comparison))}</h2>
<p class="small">${escapeHtml(METHOD)}${comparison.isAssumed ? ` ${escapeHtml(ASSUMED.replaceAll('`', ''))}` : ''}</p>
${unmatched === '' ? '' : `<p class="small">Without a baseline:</p><ul class="small">${unmatched}</ul>`}
<div class="scroll" tabindex="0" role="region" aria-label="Comparison"><table class="sortable"><thead><tr><th scope="col">cell</th><th scope="col" class="number">ours</th><th scope="col" class="number">baseline</th><th scope="col" class="number">ratio</th><th scope="col">change</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table></div></section>`;
}

/** For a pull request: what is beyond noise, and a count of the rest. */
export function comparisonMarkdown(comparison: ResultComparison): string {
  const changed = comparison.changes.filter(({kind}) => kind !== 'same');
  const rows = changed.slice(0, MOST_LISTED).map(({kind, name, oursMs, baseMs, ratio, reason}) => {
    const words = ratio === null ? reason : `${formatFactor(ratio.ratio)} ${intervalText(ratio)}`;
    const cells = [kind, name, oursMs === null ? '–' : formatMs(oursMs), formatMs(baseMs), words];
    return `| ${cells.map(escapeMarkdown).join(' | ')} |`;
  });
  return [
    `**Benchmarks: ${comparisonCounts(comparison)}**`,
    '',
    ...(rows.length === 0
      ? []
      : ['| change | cell | ours | baseline | ratio |', '| --- | --- | ---: | ---: | ---: |', ...rows, '']),
    ...(changed.length > MOST_LISTED ? [`${changed.length - MOST_LISTED} more cells changed.`, ''] : []),
    escapeMarkdown(METHOD),
    ...(comparison.isAssumed ? [ASSUMED] : []),
    '',
  ].join('\n');
}
