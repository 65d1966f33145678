import {escapeHtml, formatCount, formatPercent} from '@epsball/cli/command';
import type {MeasuredDbscanCell} from '@epsball/benchmarks';
import {join} from 'node:path';
import type {Illustration} from '../illustration.ts';
import {readPicture} from '../readPicture.ts';
import {measuredCells, type DbscanSection} from './section.ts';

/** Folder beside the results that keeps pictures by the hashes of points and labels. */
const KEPT = 'pictures';

/**
 * The cluster pictures of a section. A picture whose file is gone is left out.
 *
 * @throws InvalidParameterError  as `readPicture`
 */
export async function loadPictures(section: DbscanSection, id: string): Promise<Illustration[]> {
  const pictures: Illustration[] = [];
  for (const {folder, cell} of drawnCells(section)) {
    const key = `${cell.datasetHash}-${cell.labelsHash}`;
    const own = cell.picture === null ? null : await readPicture(folder, cell.picture);
    const url = own ?? (await readKept(folder, key));
    if (url === null) continue;
    const [generator] = cell.dataset.split(':', 1);
    const what = section.suite.axis === 'dataset' ? `${generator}: ` : '';
    const clusters = `${formatCount(cell.clusterCount)} ${cell.clusterCount === 1 ? 'cluster' : 'clusters'}`;
    const title = `${what}${clusters} at eps ${cell.eps}, minPts ${cell.minPts}`;
    const caption = `${formatCount(cell.n)} points; each colour a cluster (colours repeat), grey is noise, ${formatPercent(cell.noiseCount / cell.n)}. Data: ${cell.dataset}.`;
    const body = `<img alt="${escapeHtml(`Scatter plot: ${title}`)}" src="${url}" loading="lazy">`;
    pictures.push({name: `${id}-clusters-${key}`, title, caption, body});
    // Of growing samples of the same data the largest one tells everything.
    if (section.suite.axis === 'n') break;
  }
  return pictures;
}

/** The picture of the points alone, of the largest workload that has one. */
export async function loadRawPicture(section: DbscanSection, id: string): Promise<Illustration[]> {
  for (const {folder, cell} of drawnCells(section)) {
    const url = await readKept(folder, cell.datasetHash);
    if (url === null) continue;
    const title = `${formatCount(cell.n)} points`;
    const body = `<img alt="${escapeHtml(`Scatter plot: ${title}, without clusters`)}" src="${url}" loading="lazy">`;
    return [{name: `${id}-points`, title, caption: `Data: ${cell.dataset}.`, body}];
  }
  return [];
}

/** A kept picture by its hashes. A result may come from an untrusted source, so a key is letters and digits. */
async function readKept(folder: string, key: string): Promise<string | null> {
  return /^[\da-z]+(?:-[\da-z]+)?$/.test(key) ? readPicture(join(folder, KEPT), `${key}.png`) : null;
}

/**
 * One cell of each picture: labels are the same on every machine, so one picture a workload is enough. Largest sizes
 * first where a suite varies them.
 */
export function drawnCells({suite, runs}: DbscanSection): {folder: string; cell: MeasuredDbscanCell}[] {
  const drawn = new Map<string, {folder: string; cell: MeasuredDbscanCell}>();
  for (const run of runs) {
    const cells = measuredCells(run);
    for (const cell of cells.filter((one) => one.picture !== null || isPictured(suite, one))) {
      // Two data sets may have the same labels.
      const key = `${cell.datasetHash}-${cell.labelsHash}`;
      const known = drawn.get(key);
      if (known === undefined || (known.cell.picture === null && cell.picture !== null)) {
        drawn.set(key, {folder: run.folder, cell});
      }
    }
  }
  const all = [...drawn.values()];
  return suite.axis === 'n' ? all.toSorted((a, b) => b.cell.n - a.cell.n) : all;
}

/** Whether the suite draws a workload. */
function isPictured({profiles}: DbscanSection['suite'], {dataset, eps, minPts}: MeasuredDbscanCell): boolean {
  return [...profiles.full.workloads, ...profiles.quick.workloads].some(
    ({dataset: one, params, picture}) => picture && one === dataset && params.eps === eps && params.minPts === minPts,
  );
}
