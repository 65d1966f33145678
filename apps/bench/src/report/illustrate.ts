import type {SuiteKind} from '@epsball/benchmarks';
import type {Illustration} from './illustration.ts';
import {kinds} from '../suite/kinds.ts';
import type {Section, SectionOf} from './run.ts';
import type {SectionView} from './sectionView.ts';

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

function viewOf<Kind extends SuiteKind>(section: SectionOf<Kind>): SectionView {
  return kinds[section.kind].view(section);
}
