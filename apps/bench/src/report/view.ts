import type {Chart} from './chart.ts';
import {dbscanView} from './dbscan/view.ts';
import {meanShiftView} from './meanShift/view.ts';
import type {Section} from './model.ts';
import {primitiveView} from './primitives/view.ts';
import type {Illustration} from './illustrate.ts';
import type {Table} from './table.ts';

/** A table under a heading. */
export interface TitledTable {
  readonly title: string;
  readonly table: Table;
}

/** What HTML and Markdown show of a section, whatever its cells measure. */
export interface SectionView {
  /** Sentences for the summary at the top. */
  readonly findings: readonly string[];
  readonly tables: readonly TitledTable[];
  /** Why cells were left out or failed. */
  readonly gaps: readonly string[];
  /** Numbers of others beside ours. */
  readonly documents: readonly TitledTable[];
  readonly drawCharts: () => Promise<Chart[]>;
  /** Pictures of results, named from `id` on. */
  readonly loadPictures: (id: string) => Promise<Illustration[]>;
}

/** The one place of a report that tells the kinds of sections apart, the rows of its CSV aside. */
export function viewOf(section: Section): SectionView {
  switch (section.kind) {
    case 'dbscan':
      return dbscanView(section);
    case 'primitives':
      return primitiveView(section);
    default:
      return meanShiftView(section);
  }
}
