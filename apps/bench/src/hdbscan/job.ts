import type {HdbscanKey, HdbscanProfile, HdbscanSuite} from '@epsball/benchmarks';
import type {AdapterChoice} from '@epsball/gpu';

/** Measure one cell of a suite of HDBSCAN*. */
export interface HdbscanJob extends HdbscanKey {
  readonly kind: 'hdbscan';
  readonly suite: Pick<HdbscanSuite, 'minClusterSize' | 'minSamples'>;
  readonly profile: Pick<HdbscanProfile, 'repeats'>;
  readonly adapter: AdapterChoice;
}
