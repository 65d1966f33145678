import {pointCount, type PointSet} from '@epsball/clustering';
import {Kernel, ParamRing, Uploader, type Gpu, type Scratch} from '@epsball/gpu';
import {pointBounds} from '@epsball/spatial-grid';
import {BoundsReduction} from '@epsball/spatial-grid/gpu';
import {arrangeWgsl} from './arrange.wgsl.ts';
import type {PointSource} from './devicePoints.ts';
import {vectorWords, type VectorScale} from './vectorScale.ts';

/** Most axes of points that are sent unscaled: those of one quad. */
const AXES_MAX = 4;

type BeginPass = (encoder: GPUCommandEncoder) => GPUComputePassEncoder;

/**
 * Sends points of the host to the device. Float32 points of at most 4 axes are sent as they are; the device computes
 * their box and scales them.
 */
export class HostPoints {
  readonly #gpu: Gpu;
  readonly #scratch: Scratch;
  readonly #uploader: Uploader;
  readonly #bounds: BoundsReduction;
  readonly #params: ParamRing;

  /**
   * @param scratch  borrowed, as `gpu` is
   */
  constructor(gpu: Gpu, scratch: Scratch) {
    this.#gpu = gpu;
    this.#scratch = scratch;
    this.#uploader = new Uploader(gpu, 'mean-shift');
    this.#bounds = new BoundsReduction(gpu);
    this.#params = new ParamRing(gpu, 'mean-shift/scale.params', 4);
  }

  /**
   * The source for a run. By the time it sends the points, there is at least one and `checkRun` has checked them,
   * except for finite coordinates if the source checks these.
   */
  source(points: PointSet): PointSource {
    const n = pointCount(points);
    const {coords, dim} = points;
    const fill = (vectors: GPUBuffer, scale: VectorScale): Promise<void> =>
      this.#uploader.fill(16 * scale.quads * n, vectors, vectorWords(points, scale));
    if (coords instanceof Float64Array || dim > AXES_MAX) {
      return {
        n,
        box: points,
        looksForNonFinite: false,
        isSingle: false,
        isWidened: true,
        bounds: () => pointBounds(points),
        write: fill,
      };
    }
    const sent = (): GPUBuffer => this.#scratch.take('coords', coords.byteLength);
    return {
      n,
      box: points,
      looksForNonFinite: true,
      isSingle: true,
      isWidened: true,
      bounds: async (beginPass) => {
        await this.#uploader.upload(coords, sent());
        return this.#bounds.of({n, dim, coords: sent(), displacement: 0, unchecked: points}, beginPass);
      },
      write: (vectors, scale, beginPass) =>
        scale.isSingle ? this.#scale(sent(), {n, dim}, {vectors, scale, beginPass}) : fill(vectors, scale),
    };
  }

  /** Submits. */
  async #scale(
    coords: GPUBuffer,
    {n, dim}: {n: number; dim: number},
    {vectors, scale, beginPass}: {vectors: GPUBuffer; scale: VectorScale; beginPass: BeginPass},
  ): Promise<void> {
    const kernel = await Kernel.create(this.#gpu, arrangeWgsl, 'scalePoints');
    const {center, factor} = scale;
    const scaling = this.#params.write(arrangeWgsl.structs.Scaling, {center: [...center], factor, count: n, axes: dim});
    const encoder = this.#gpu.device.createCommandEncoder();
    const pass = beginPass(encoder);
    kernel.dispatchOver(pass, kernel.bind({coordsIn: coords, vectorsOut: vectors, scaling}), n);
    pass.end();
    this.#gpu.device.queue.submit([encoder.finish()]);
  }

  destroy(): void {
    this.#uploader.destroy();
    this.#bounds.destroy();
    this.#params.destroy();
  }
}
