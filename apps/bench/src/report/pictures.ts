import {join} from 'node:path';
import {isSameWorkload, measuredCells, suites, type MeasuredCell} from '@epsball/benchmarks';
import {escapeHtml, formatCount, formatPercent} from '@epsball/cli/command';
import type {Run} from './machines.ts';
import {readPicture} from './readPicture.ts';

/** Folder beside the results that keeps pictures by the hashes of points and labels. */
const KEPT = 'pictures';

/**
 * The cluster pictures of a suite, or its points alone. A picture whose file is gone is left out.
 *
 * @throws InvalidParameterError  as `readPicture`
 */
export async function picturesHtml(
  runs: readonly Run[],
  {suite, isRaw}: {readonly suite: string; readonly isRaw: boolean},
): Promise<string> {
  const run = runs.find(({result}) => result.suite === suite);
  if (run === undefined) return '';
  const figures: string[] = [];
  for (const cell of drawnCells(run)) {
    if (figures.length > 0 && isGrowing(suite)) break;
    const {points, labels, dataset, n, clusters, noise, params} = cell;
    const own = isRaw || cell.picture === null ? null : await readPicture(run.folder, cell.picture);
    const url = own ?? (await readKept(run.folder, isRaw ? `${points}` : `${points}-${labels}`));
    if (url === null) continue;
    const [generator] = dataset.split(':', 1);
    const found = `${formatCount(clusters ?? 0)} ${clusters === 1 ? 'cluster' : 'clusters'} at eps ${params['eps']}, minPts ${params['minPts']}`;
    const title = isRaw ? `${formatCount(n)} points` : `${generator}: ${found}`;
    const caption = isRaw
      ? ''
      : `${formatCount(n)} points; each colour a cluster (colours repeat), grey is noise, ${formatPercent((noise ?? 0) / n)}. `;
    figures.push(
      `<figure class="card"><h4>${escapeHtml(title)}</h4><img alt="${escapeHtml(`Scatter plot: ${title}`)}" src="${url}" loading="lazy"><figcaption>${escapeHtml(caption)}Data: ${escapeHtml(dataset)}.</figcaption></figure>`,
    );
  }
  return figures.length === 0
    ? ''
    : `<div class="pictures${figures.length > 3 ? ' many' : ''}">\n${figures.join('\n')}\n</div>`;
}

/** A kept picture by its hashes. A result may come from an untrusted source, so a key is letters and digits. */
async function readKept(folder: string, key: string): Promise<string | null> {
  return /^[\da-z]+(?:-[\da-z]+)?$/.test(key) ? readPicture(join(folder, KEPT), `${key}.png`) : null;
}

/** Whether a suite varies the number of points: the picture of the largest sample tells everything. */
export function isGrowing(id: string): boolean {
  return suites.some((suite) => suite.id === id && (suite.axis === 'n' || suite.axis === 'threads'));
}

/** One cell of each picture, the largest first: labels are the same for all codes. */
export function drawnCells({result}: Pick<Run, 'result'>): MeasuredCell[] {
  const suite = suites.find(({id}) => id === result.suite);
  const workloads = [...(suite?.profiles.full.workloads ?? []), ...(suite?.profiles.quick.workloads ?? [])];
  const drawn = new Map<string, MeasuredCell>();
  for (const cell of measuredCells(result)) {
    const isWanted =
      cell.picture !== null || workloads.some((one) => one.picture === true && isSameWorkload(one, cell));
    const key = `${cell.points}-${cell.labels}`;
    if (isWanted && (!drawn.has(key) || cell.picture !== null)) drawn.set(key, cell);
  }
  return [...drawn.values()].toSorted((a, b) => b.n - a.n);
}
