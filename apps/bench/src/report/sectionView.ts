import type {Chart} from './chart.ts';
import type {Illustration} from './illustration.ts';
import type {TitledTable} from './table.ts';

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
