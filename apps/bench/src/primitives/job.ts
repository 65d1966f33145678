import type {PrimitiveCell, PrimitiveProfile, Series} from '@epsball/benchmarks';
import type {AdapterChoice} from '@epsball/gpu';

/** Measure one series: an operation in one implementation, count after count. Each count has its own reply. */
export interface SeriesJob extends Series {
  readonly kind: 'series';
  readonly profile: PrimitiveProfile;
  readonly adapter: AdapterChoice;
}

/** A measured count, and the seconds of one run, from which the time of the next count is estimated. */
export interface MeasuredCount {
  readonly cells: readonly PrimitiveCell[];
  readonly runSeconds: number;
}
