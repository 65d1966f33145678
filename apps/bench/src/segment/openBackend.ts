import {GpuUnavailableError} from '@epsball/clustering';
import type {Gpu, AdapterChoice} from '@epsball/gpu';
import type {MeanShiftAlgorithm, MeanShiftParams, ShiftOptions} from '@epsball/mean-shift';
import type {LabelResult} from '@epsball/mean-shift/gpu';
import {adapterName} from '../text.ts';
import type {Picture} from './imageFile.ts';
import {pointsOfPicture, type PixelScale} from './pixels.ts';

/** Where a picture may be segmented. */
export type SegmentBackend = 'auto' | 'sequential' | 'workers' | 'gpu';

/** Mean shift, where it will run. */
export interface OpenBackend extends Disposable {
  readonly backend: Exclude<SegmentBackend, 'auto'>;
  /** Null where no GPU runs. */
  readonly adapter: string | null;
  /** Clusters the pixels by their modes; parameters are in bandwidths. */
  segment(picture: Picture, scale: PixelScale, params: MeanShiftParams, options: ShiftOptions): Promise<LabelResult>;
}

/**
 * Opens the backend: `auto` takes a hardware GPU where there is one, never a software one, else worker threads.
 *
 * @throws GpuUnavailableError  if a GPU is asked for and there is none
 */
export async function openBackend(
  backend: SegmentBackend,
  {adapter, threads}: {readonly adapter: AdapterChoice; readonly threads?: number | undefined},
): Promise<OpenBackend> {
  if (backend === 'gpu' || (backend === 'auto' && adapter !== 'auto')) return openOnGpu(adapter);
  if (backend === 'auto' && threads === undefined) {
    try {
      return await openOnGpu('hardware');
    } catch (error) {
      if (!(error instanceof GpuUnavailableError)) throw error;
    }
  }
  if (backend === 'sequential') {
    const {createMeanShiftSequential} = await import('@epsball/mean-shift');
    return onHost('sequential', createMeanShiftSequential());
  }
  const {createMeanShiftWorkers} = await import('@epsball/mean-shift/workers');
  return onHost('workers', createMeanShiftWorkers({threads}));
}

function onHost(backend: 'sequential' | 'workers', meanShift: MeanShiftAlgorithm): OpenBackend {
  return {
    backend,
    adapter: null,
    segment: (picture, scale, params, options) => meanShift.run(pointsOfPicture(picture, scale), params, options),
    [Symbol.dispose]: () => meanShift.destroy(),
  };
}

async function openOnGpu(adapter: AdapterChoice): Promise<OpenBackend> {
  const [{openGpu}, {createMeanShiftGpu}, {PixelPoints}] = await Promise.all([
    import('@epsball/gpu'),
    import('@epsball/mean-shift/gpu'),
    import('./pixelPoints.ts'),
  ]);
  const gpu: Gpu = await openGpu({adapter});
  try {
    const [meanShift, pixels] = await Promise.all([createMeanShiftGpu(gpu), PixelPoints.create(gpu)]);
    return {
      backend: 'gpu',
      adapter: `${adapterName(gpu.info)} (${gpu.info.kind})`,
      segment: (picture, scale, params, options) => meanShift.label(pixels.of(picture, scale), params, options),
      [Symbol.dispose]: () => {
        pixels.destroy();
        meanShift.destroy();
        gpu.destroy();
      },
    };
  } catch (error) {
    gpu.destroy();
    throw error;
  }
}
