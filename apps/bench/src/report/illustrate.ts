import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {drawCharts} from './charts.ts';
import {formatCount, formatPercent} from '../text.ts';
import {measuredCells, type Section} from './model.ts';

/** A picture or chart as the page shows it. */
export interface Illustration {
  /** File name stem, unique within the report. */
  readonly name: string;
  readonly title: string;
  readonly caption: string;
  /** HTML: an `<svg>`, or an `<img>` with the picture inside. */
  readonly body: string;
}

/** A section with everything drawn. */
export interface IllustratedSection {
  /** Unique in the report. */
  readonly id: string;
  readonly section: Section;
  readonly pictures: readonly Illustration[];
  readonly charts: readonly Illustration[];
}

/**
 * Draws the charts of a section and fetches its cluster pictures; pictures whose file is gone are left out.
 *
 * @param id  starts the names of everything drawn
 */
export async function illustrate(section: Section, id: string): Promise<IllustratedSection> {
  const charts = await drawCharts(section);
  return {
    id,
    section,
    pictures: await loadPictures(section, id),
    charts: charts.map(({name, title, caption, svg}) => ({
      name: `${id}-${name}`,
      title,
      caption,
      body: svg,
    })),
  };
}

async function loadPictures(section: Section, id: string): Promise<Illustration[]> {
  const pictures: Illustration[] = [];
  const drawn = new Set<string>();
  const drawnCells = section.runs.map((run) => ({
    run,
    cells: measuredCells(run).filter(({picture}) => picture !== null),
  }));
  for (const {run, cells} of drawnCells) {
    // Of growing samples of the same data the largest one tells everything.
    for (const cell of section.suite.axis === 'n' ? cells.slice(-1) : cells) {
      // Labels are the same on every machine, so one picture a workload is enough.
      if (cell.picture === null || drawn.has(cell.labelsHash)) continue;
      const png = await readFile(join(run.folder, cell.picture)).catch(() => null);
      if (png === null) continue;
      drawn.add(cell.labelsHash);
      const title = `${formatCount(cell.clusterCount)} clusters at eps ${cell.eps}, minPts ${cell.minPts}`;
      const caption = `${formatCount(cell.n)} points; each colour a cluster (colours repeat), grey is noise, ${formatPercent(cell.noiseCount / cell.n)}. Data: ${cell.dataset}.`;
      const body = `<img alt="Scatter plot: ${title}" src="data:image/png;base64,${png.toString('base64')}">`;
      pictures.push({name: `${id}-clusters-${cell.labelsHash}`, title, caption, body});
    }
  }
  return pictures;
}
