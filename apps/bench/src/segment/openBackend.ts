import {GpuUnavailableError, type RunOptions} from '@epsball/clustering';
import type {Gpu, AdapterChoice} from '@epsball/gpu';
import type {MeanShiftAlgorithm, MeanShiftParams} from '@epsball/mean-shift';
import type {LabelResult} from '@epsball/mean-shift/gpu';
import {forcedAdapter} from '../adapterForced.ts';
import {adapterName} from '../text.ts';
import type {Picture} from './imageFile.ts';
import {paintSegments, pointsOfPicture, type Paint, type PixelScale} from './pixels.ts';

/** Where a picture may be segmented. */
export type SegmentBackend = 'auto' | 'sequential' | 'workers' | 'gpu';

/** How a picture is to be segmented. */
interface SegmentWish {
  readonly scale: PixelScale;
  readonly params: MeanShiftParams;
  readonly paint: Paint;
}

interface SegmentedPicture extends Pick<LabelResult, 'iterations' | 'stats'> {
  readonly painted: Picture;
  readonly segments: number;
  /** Of the host; 0 where the device paints. */
  readonly paintMs: number;
}

/** Mean shift, where it will run. */
export interface OpenBackend extends Disposable {
  readonly backend: Exclude<SegmentBackend, 'auto'>;
  /** Null where no GPU runs. */
  readonly adapter: string | null;
  /** Clusters the pixels by their modes and paints them; parameters are in bandwidths. Reports the phases of mean shift, and `paint` where the host paints. */
  segment(picture: Picture, wish: SegmentWish, options: RunOptions): Promise<SegmentedPicture>;
}

/**
 * Opens the backend: `auto` takes the GPU that `adapter` or the environment names; else worker threads where their number is given; else a hardware GPU
 * where there is one, never a software one; else worker threads.
 *
 * @throws GpuUnavailableError  if a GPU is asked for and there is none
 * @throws UsageError           if the environment names no kind of adapter
 */
export async function openBackend(
  backend: SegmentBackend,
  {adapter, threads}: {readonly adapter: AdapterChoice; readonly threads?: number | undefined},
): Promise<OpenBackend> {
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
    segment: async (picture, wish, options) => {
      const result = await meanShift.run(pointsOfPicture(picture, wish.scale), wish.params, options);
      options.onProgress?.({phase: 'paint', done: 0, total: 0});
      return painted(picture, result, wish);
    },
    [Symbol.dispose]: () => meanShift.destroy(),
  };
}

/** The outcome as a picture, which the device may have painted already. */
function painted(
  picture: Picture,
  result: LabelResult,
  {scale, paint}: SegmentWish,
  rgb?: Uint8Array,
): SegmentedPicture {
  const startedAt = performance.now();
  const colored = rgb === undefined ? paintSegments(picture, result, scale, paint) : {...picture, rgb};
  const {iterations, stats, clusterCenters} = result;
  const paintMs = performance.now() - startedAt;
  return {painted: colored, segments: clusterCenters.length / 5, iterations, stats, paintMs};
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
      segment: async (picture, wish, options) => {
        let rgb: Uint8Array | undefined;
        const take = wish.paint === 'mode' ? (colors: Uint8Array) => void (rgb = colors) : undefined;
        const result = await meanShift.label(pixels.of(picture, wish.scale, take), wish.params, options);
        if (rgb === undefined) options.onProgress?.({phase: 'paint', done: 0, total: 0});
        return painted(picture, result, wish, rgb);
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
