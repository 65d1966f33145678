import {GpuUnavailableError} from '@epsball/clustering';
import type {Gpu, AdapterChoice} from '@epsball/gpu';
import {forcedAdapter} from '../adapterForced.ts';
import type {BackendFlags} from '../flags.ts';
import {adapterName} from '../text.ts';
import {openOnHost} from './openOnHost.ts';
import {segmentedPicture, type OpenBackend} from './segmented.ts';

/**
 * Opens the backend. `auto` takes, in this order: the GPU that `adapter` or the environment names; worker threads if
 * `threads` is given; a hardware GPU if there is one; worker threads.
 */
export async function openBackend({backend, adapter, threads}: BackendFlags): Promise<OpenBackend> {
  // A number of threads on the command line comes before the environment.
  const isNamed = adapter !== 'auto' || (threads === undefined && forcedAdapter(adapter) !== null);
  if (backend === 'gpu' || (backend === 'auto' && isNamed)) return openOnGpu(adapter);
  if (backend === 'auto' && threads === undefined) {
    try {
      return await openOnGpu('hardware');
    } catch (error) {
      if (!(error instanceof GpuUnavailableError)) throw error;
    }
  }
  return openOnHost({backend: backend === 'sequential' ? 'sequential' : 'workers', threads});
}

async function openOnGpu(adapter: AdapterChoice): Promise<OpenBackend> {
  const [{openGpu}, {createMeanShift}, {PixelPoints}] = await Promise.all([
    import('@epsball/gpu'),
    import('@epsball/mean-shift'),
    import('./pixelPoints.ts'),
  ]);
  const gpu: Gpu = await openGpu({adapter});
  try {
    const [meanShift, pixels] = await Promise.all([createMeanShift({gpu}), PixelPoints.create(gpu)]);
    return {
      backend: 'gpu',
      adapter: `${adapterName(gpu.info)} (${gpu.info.kind})`,
      segment: async (picture, params, options) => {
        let rgb: Uint8Array | undefined;
        const take = params.paint === 'mode' ? (colors: Uint8Array) => void (rgb = colors) : undefined;
        const result = await meanShift.label(pixels.of(picture, params.scale, take), params.meanShift, options);
        if (rgb === undefined) options.onProgress?.({phase: 'paint', done: 0, total: 0});
        return segmentedPicture(picture, result, params, rgb);
      },
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
