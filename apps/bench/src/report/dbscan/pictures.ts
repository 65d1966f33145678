import {escapeHtml, formatCount, formatPercent} from '@epsball/cli/command';
import type {Illustration} from '../illustration.ts';
import {readPicture} from '../readPicture.ts';
import {measuredCells, type DbscanSection} from './section.ts';

/**
 * The cluster pictures of a section. A picture whose file is gone is left out.
 *
 * @throws InvalidParameterError  as `readPicture`
 */
export async function loadPictures(section: DbscanSection, id: string): Promise<Illustration[]> {
  const pictures: Illustration[] = [];
  const drawn = new Set<string>();
  const drawnCells = section.runs.map((run) => ({
    run,
    cells: measuredCells(run).filter(({picture}) => picture !== null),
  }));
  for (const {run, cells} of drawnCells) {
    // Of growing samples of the same data the largest one tells everything.
    for (const cell of section.suite.axis === 'n' ? cells.slice(-1) : cells) {
      // Labels are the same on every machine, so one picture a workload is enough. Two data sets may have the same
      // labels.
      const key = `${cell.datasetHash}-${cell.labelsHash}`;
      if (cell.picture === null || drawn.has(key)) continue;
      const url = await readPicture(run.folder, cell.picture);
      if (url === null) continue;
      drawn.add(key);
      const [generator] = cell.dataset.split(':', 1);
      const what = section.suite.axis === 'dataset' ? `${generator}: ` : '';
      const clusters = `${formatCount(cell.clusterCount)} ${cell.clusterCount === 1 ? 'cluster' : 'clusters'}`;
      const title = `${what}${clusters} at eps ${cell.eps}, minPts ${cell.minPts}`;
      const caption = `${formatCount(cell.n)} points; each colour a cluster (colours repeat), grey is noise, ${formatPercent(cell.noiseCount / cell.n)}. Data: ${cell.dataset}.`;
      const body = `<img alt="${escapeHtml(`Scatter plot: ${title}`)}" src="${url}">`;
      pictures.push({name: `${id}-clusters-${key}`, title, caption, body});
    }
  }
  return pictures;
}
