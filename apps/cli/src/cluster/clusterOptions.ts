import type {Backend} from '@epsball/dbscan';
import type {AdapterChoice} from '@epsball/gpu';
import type {HdbscanFlags} from '../hdbscan/hdbscanFlags.ts';
import type {OutOfCoreOptions} from '../scaleOut/options.ts';
import type {CsvFlags} from './csvFlags.ts';
import type {MetricFlags} from './metricFlags.ts';
import type {TypedOptions} from './variantOptions.ts';
import type {OutputFlags} from './writeOutputs.ts';

export const PRECISIONS = ['source', 'float32', 'float64'] as const;

/** The flags of `epsball cluster`. */
export interface ClusterOptions
  extends TypedOptions, MetricFlags, CsvFlags, HdbscanFlags, OutOfCoreOptions, OutputFlags {
  readonly algorithm: string;
  readonly backend: Backend | 'auto';
  readonly threads?: number;
  readonly adapter: AdapterChoice;
  readonly dataset?: string;
  readonly dim?: number;
  readonly precision: (typeof PRECISIONS)[number];
  readonly collapse?: boolean;
  readonly json?: boolean;
  readonly verify?: boolean;
}
