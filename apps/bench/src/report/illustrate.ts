import type {Illustration} from './illustration.ts';
import type {Section} from './model.ts';
import type {SectionView} from './sectionView.ts';
import {viewOf} from './view.ts';

/** A section with everything said and drawn. */
export interface IllustratedSection {
  /** Unique in the report. */
  readonly id: string;
  readonly section: Section;
  readonly view: SectionView;
  readonly pictures: readonly Illustration[];
  readonly charts: readonly Illustration[];
}

/**
 * Draws the charts of a section and fetches its pictures; pictures whose file is gone are left out.
 *
 * @param id  starts the names of everything drawn
 */
export async function illustrate(section: Section, id: string): Promise<IllustratedSection> {
  const view = viewOf(section);
  const charts = await view.drawCharts();
  return {
    id,
    section,
    view,
    pictures: await view.loadPictures(id),
    charts: charts.map(({name, title, caption, svg}) => ({
      name: `${id}-${name}`,
      title,
      caption,
      body: svg,
    })),
  };
}
