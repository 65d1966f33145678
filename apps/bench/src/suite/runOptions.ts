import type {Adapter, ProfileName} from '@epsball/benchmarks';
import type {AdapterChoice} from '@epsball/gpu';
import type {FindLabels} from './dbscan/earlierLabels.ts';
import type {OnlyFilter} from './onlyFilter.ts';

/** Result of the probe of the adapter. */
export interface FoundAdapter {
  readonly adapter: Adapter | null;
  /** Why there is no adapter. */
  readonly adapterError: string | null;
}

export interface RunSuiteOptions {
  readonly profile: ProfileName;
  readonly adapter: AdapterChoice;
  readonly found: FoundAdapter;
  readonly resultsDir: string;
  /** Start of the names of all files of this run. */
  readonly stem: string;
  /** Labels that replace a run of the reference. Default: none. */
  readonly earlierLabels?: FindLabels | undefined;
  /** Which cells run. Default: all. */
  readonly only?: OnlyFilter | undefined;
  /** Child processes of a cell of DBSCAN, whose runs count together. Default: 1. */
  readonly processes?: number | undefined;
  /** Cells that an interrupted run has measured. They do not run again. Default: none. */
  readonly earlierCells?: readonly unknown[] | undefined;
  /** Called when a cell begins, with its name. */
  readonly onStart?: ((name: string) => void) | undefined;
  /** Called with every finished cell; `ran`: it was not left out, and no earlier run had it. */
  readonly onCell?: ((cell: {readonly status: string}, ran: boolean) => void) | undefined;
  /**
   * References with earlier labels run all the same, for their times, but those that took longer there. Seconds.
   * Default: none of them runs.
   */
  readonly timeReference?: number | undefined;
  /** Whether cluster pictures are drawn. Default: true. */
  readonly pictures?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly log: (line: string) => void;
}
