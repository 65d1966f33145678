/** Segments one picture without a GPU. `openOnHost` runs it on a thread. */
import type {ProgressListener} from '@epsball/clustering';
import {createMeanShift} from '@epsball/mean-shift';
import type {Picture} from './imageFile.ts';
import {pointsOfPicture} from './pixels.ts';
import {segmentedPicture, type SegmentedPicture, type SegmentParams} from './segmented.ts';

interface HostJob {
  readonly backend: {readonly backend: 'sequential' | 'workers'; readonly threads?: number | undefined};
  readonly picture: Picture;
  readonly params: SegmentParams;
}

export async function run(
  {backend, picture, params}: HostJob,
  onProgress: ProgressListener,
): Promise<SegmentedPicture> {
  const meanShift = await createMeanShift(backend);
  const result = await meanShift.label(pointsOfPicture(picture, params.scale), params.meanShift, {onProgress});
  onProgress({phase: 'paint', done: 0, total: 0});
  return segmentedPicture(picture, result, params);
}
