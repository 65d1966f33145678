import type {PrimitiveCell, PrimitiveProfile, Series} from '@epsball/benchmarks';
import type {AdapterChoice} from '@epsball/gpu';

/** Measure one series: an operation in one implementation, count after count. Each count is answered by a line of its own. */
export interface SeriesJob extends Series {
  readonly kind: 'series';
  readonly profile: PrimitiveProfile;
  readonly adapter: AdapterChoice;
}

/** A measured count, and what the next one may expect. */
export interface MeasuredCount {
  readonly cells: readonly PrimitiveCell[];
  readonly runSeconds: number;
}
