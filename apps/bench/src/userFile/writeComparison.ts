import {join} from 'node:path';
import {escapeHtml, formatCount, formatFactor, formatMs, formatPercent} from '@epsball/cli/command';
import {writeContent} from '@epsball/datasets';
import {prepareFolder} from '../prepareFolder.ts';
import {PAGE_CSS} from '../report/pageCss.ts';
import {PAGE_SCRIPT} from '../report/pageScript.ts';
import {variantHue} from '../report/variantHue.ts';
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
  const fastest = sorted[0]?.ms ?? null;
  const slowest = Math.max(...sorted.flatMap(({ms}) => ms ?? []));
  const rows = sorted.map((run) => rowHtml(run, n, fastest, slowest));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>epsball compare</title>
<style>${PAGE_CSS}</style>
</head>
<body>
<main>
<header>
<h1>Every variant on ${escapeHtml(input)}</h1>
<p class="lead">${formatCount(n)} points × ${dim}, eps ${eps}, minPts ${minPts}. ${escapeHtml(machine)}.</p>
<p>${escapeHtml(verdictOf(sorted))}</p>
</header>
<div class="scroll" tabindex="0" role="region" aria-label="Variants"><table class="sortable"><thead><tr><th scope="col">variant</th><th scope="col" class="number">time</th><th scope="col" class="number">over the fastest</th><th scope="col">time, logarithmic</th><th scope="col" class="number">clusters</th><th scope="col" class="number">noise</th><th scope="col">labels</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table></div>
<p class="small">Median wall time of the counted runs, from the caller’s array to the caller’s labels; device, pipelines and threads are ready. Labels and core flags are compared byte for byte with those of the first variant that ran.</p>
</main>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

function rowHtml(
  {name, row, ms, outcome, reason, clusters, noise}: VariantRun,
  n: number,
  fastest: number | null,
  slowest: number,
): string {
  const swatch = `<i class="swatch" style="background:${variantHue(row)}"></i>`;
  const tone = outcome === 'same' ? '' : outcome === 'left out' ? ' class="faint"' : ' class="bad"';
  const words = reason === '' ? outcome : `${outcome}: ${reason}`;
  if (ms === null || fastest === null) {
    return `<tr><td>${swatch}${escapeHtml(name)}</td><td class="number">–</td><td class="number">–</td><td></td><td class="number">–</td><td class="number">–</td><td${tone}>${escapeHtml(words)}</td></tr>`;
  }
  const share = slowest <= fastest ? 1 : 0.05 + (0.95 * Math.log(ms / fastest)) / Math.log(slowest / fastest);
  const bar = `<span class="meter"><i style="width:${(share * 100).toFixed(0)}%;background:${variantHue(row)}"></i></span>`;
  return `<tr><td>${swatch}${escapeHtml(name)}</td><td class="number" data-value="${ms}">${formatMs(ms)}</td><td class="number">${formatFactor(ms / fastest)}</td><td>${bar}</td><td class="number">${formatCount(clusters)}</td><td class="number">${formatPercent(n === 0 ? 0 : noise / n)}</td><td${tone}>${escapeHtml(words)}</td></tr>`;
}

function verdictOf(sorted: readonly VariantRun[]): string {
  const ran = sorted.filter(({ms}) => ms !== null);
  const [best, ...rest] = ran;
  if (best?.ms === undefined || best.ms === null) return 'No variant ran.';
  const last = rest.at(-1);
  const lead =
    last?.ms === undefined || last.ms === null ? '' : `, ${formatFactor(last.ms / best.ms)} as fast as ${last.name}`;
  const differing = ran.filter(({outcome}) => outcome === 'differs');
  const labels =
    differing.length === 0
      ? `All ${ran.length} gave the same labels, byte for byte.`
      : `Other labels: ${differing.map(({name}) => name).join(', ')}.`;
  return `Fastest: ${best.name} with ${formatMs(best.ms)}${lead}. ${labels}`;
}
