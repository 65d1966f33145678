import type {RunOptions} from '@epsball/clustering';
import type {LabelResult, MeanShiftParams} from '@epsball/mean-shift';
import type {Picture} from './imageFile.ts';
import {paintSegments, type Paint, type PixelScale} from './pixels.ts';

export interface SegmentParams {
  readonly scale: PixelScale;
  readonly meanShift: MeanShiftParams;
  readonly paint: Paint;
}

/** A segmented picture and what the run counted. */
export interface SegmentedPicture extends Pick<LabelResult, 'iterations' | 'stats'> {
  readonly painted: Picture;
  readonly segments: number;
  /** Time that the host took to paint; about 0 if the device painted. */
  readonly paintMs: number;
}

/** A backend, ready to segment one picture. */
export interface OpenBackend extends Disposable {
  readonly backend: 'sequential' | 'workers' | 'gpu';
  /** Null without a GPU. */
  readonly adapter: string | null;
  /**
   * Clusters the pixels by their modes and paints them. Parameters are in bandwidths. Reports the phases of mean shift,
   * and `paint` if the host paints.
   */
  segment(picture: Picture, params: SegmentParams, options: RunOptions): Promise<SegmentedPicture>;
}

/** The result of mean shift as a picture; `rgb` are its pixels if the device has painted them. */
export function segmentedPicture(
  picture: Picture,
  result: Pick<LabelResult, 'labels' | 'clusterCenters' | 'iterations' | 'stats'>,
  {scale, paint}: SegmentParams,
  rgb?: Uint8Array,
): SegmentedPicture {
  const startedAt = performance.now();
  const painted = rgb === undefined ? paintSegments(picture, result, scale, paint) : {...picture, rgb};
  const {iterations, stats, clusterCenters} = result;
  const paintMs = performance.now() - startedAt;
  return {painted, segments: clusterCenters.length / 5, iterations, stats, paintMs};
}
