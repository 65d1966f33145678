import type {PointFlags} from '../flags.ts';

export interface GraphFlags extends PointFlags {
  readonly eps?: number;
  readonly minPts?: number;
  readonly minClusterSize?: number;
  readonly minSamples?: number;
  readonly selection?: 'eom' | 'leaf';
  readonly vertices?: number;
  /** A file with a weight for each vertex. */
  readonly weights?: string;
  readonly out?: string;
  readonly json?: boolean;
}
