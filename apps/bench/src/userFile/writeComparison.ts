import {join} from 'node:path';
import {escapeHtml, formatCount, formatFactor, formatMs, formatPercent} from '@epsball/cli/command';
import {writeContent} from '@epsball/datasets';
import {prepareFolder} from '../prepareFolder.ts';
import {htmlPage} from '../report/page.ts';
import {faint, plain, tableHtml, type TableCell} from '../report/table.ts';
import type {VariantRun} from './compareVariants.ts';

/** Every variant on the points of one file. */
export interface FileComparison {
  readonly input: string;
  readonly n: number;
  readonly dim: number;
  readonly eps: number;
  readonly minPts: number;
  readonly machine: string;
  readonly runs: readonly VariantRun[];
}

/**
 * Writes `compare.html`, one page that loads nothing.
 *
 * @returns  its path
 * @throws DatasetWriteError  if the folder takes no files
 */
export async function writeComparison(folder: string, comparison: FileComparison): Promise<string> {
  await prepareFolder(folder);
  const file = join(folder, 'compare.html');
  await writeContent(file, comparisonPage(comparison));
  return file;
}

/** The page, fastest variant first; exported for tests. */
export function comparisonPage({input, n, dim, eps, minPts, machine, runs}: FileComparison): string {
  const sorted = [...runs].sort((a, b) => (a.ms ?? Infinity) - (b.ms ?? Infinity));
  const times = sorted.flatMap(({ms}) => ms ?? []);
  const rows = sorted.map((run) => rowOf(run, n, times[0], times.at(-1) ?? 0));
  const columns = ['variant', 'time', 'over the fastest', 'time, logarithmic', 'clusters', 'noise', 'labels'];
  return htmlPage(
    'epsball compare',
    `<header>
<h1>Every variant on ${escapeHtml(input)}</h1>
<p class="lead">${formatCount(n)} points × ${dim}, eps ${eps}, minPts ${minPts}. ${escapeHtml(machine)}.</p>
<p>${escapeHtml(verdictOf(sorted))}</p>
</header>
${tableHtml({title: 'Variants', columns, rows}, false)}
<p class="small">Median wall time of the counted runs, from the caller’s array to the caller’s labels; device, pipelines and threads are ready. Labels and core flags are compared byte for byte with those of the first variant that ran.</p>`,
  );
}

function rowOf(
  {name, ms, outcome, reason, clusters, noise}: VariantRun,
  n: number,
  fastest: number,
  slowest: number,
): TableCell[] {
  const words = reason === '' ? outcome : `${outcome}: ${reason}`;
  const label: TableCell =
    outcome === 'same' ? plain(words) : {text: words, tone: outcome === 'left out' ? 'faint' : 'bad'};
  if (ms === null) return [plain(name), faint(), faint(), plain(''), faint(), faint(), label];
  const share = slowest <= fastest ? 1 : 0.05 + (0.95 * Math.log(ms / fastest)) / Math.log(slowest / fastest);
  const bar = `<span class="meter"><i style="width:${(share * 100).toFixed(0)}%;background:var(--hue-1)"></i></span>`;
  return [
    plain(name),
    plain(formatMs(ms)),
    plain(formatFactor(ms / fastest)),
    {text: '', html: bar},
    plain(formatCount(clusters)),
    plain(formatPercent(n === 0 ? 0 : noise / n)),
    label,
  ];
}

function verdictOf(sorted: readonly VariantRun[]): string {
  const ran = sorted.flatMap(({name, ms, outcome}) => (ms === null ? [] : [{name, ms, outcome}]));
  const [best, ...rest] = ran;
  if (best === undefined) return 'No variant ran.';
  const last = rest.at(-1);
  const lead = last === undefined ? '' : `, ${formatFactor(last.ms / best.ms)} as fast as ${last.name}`;
  const differing = ran.filter(({outcome}) => outcome === 'differs');
  const labels =
    differing.length === 0
      ? `All ${ran.length} gave the same labels, byte for byte.`
      : `Other labels: ${differing.map(({name}) => name).join(', ')}.`;
  return `Fastest: ${best.name} with ${formatMs(best.ms)}${lead}. ${labels}`;
}
