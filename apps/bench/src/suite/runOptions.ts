import type {Adapter, ProfileName, Workload} from '@epsball/benchmarks';
import type {AdapterChoice} from '@epsball/gpu';
import type {EarlierLabels} from './dbscan/earlierLabels.ts';

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
  readonly earlierLabels?: ((workload: Workload) => EarlierLabels | undefined) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly log: (line: string) => void;
}
