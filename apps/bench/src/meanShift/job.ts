import type {MeanShiftKey, MeanShiftProfile, MeanShiftSuite} from '@epsball/benchmarks';
import type {AdapterChoice} from '@epsball/gpu';

/** Measure one cell of a suite of mean shift. */
export interface MeanShiftJob extends MeanShiftKey {
  readonly kind: 'mean-shift';
  readonly suite: Pick<MeanShiftSuite, 'dataset' | 'dim' | 'bandwidth' | 'iterations' | 'ours'>;
  readonly profile: Pick<MeanShiftProfile, 'repeats' | 'deviceRepeats' | 'cellSeconds' | 'repeatSeconds'>;
  readonly adapter: AdapterChoice;
}
