import {Kernel, ParamRing, Scratch, Uploader, type Gpu} from '@epsball/gpu';
import type {DevicePoints} from '@epsball/mean-shift/gpu';
import type {Picture} from './imageFile.ts';
import {COMPRESSED, LAB_BOX, LINEAR, TO_XYZ} from './lab.ts';
import {pixelKernel} from './pixelKernel.ts';
import type {PixelScale} from './pixels.ts';

/** Makes points of pixels on the device, from three bytes a pixel: as coordinates they would be 20. */
export class PixelPoints implements Disposable {
  readonly #gpu: Gpu;
  readonly #kernel: Kernel<typeof pixelKernel, 'writePlaces'>;
  readonly #uploader: Uploader;
  readonly #scratch: Scratch;
  readonly #params: ParamRing;

  private constructor(gpu: Gpu, kernel: Kernel<typeof pixelKernel, 'writePlaces'>) {
    this.#gpu = gpu;
    this.#kernel = kernel;
    this.#uploader = new Uploader(gpu, 'bench/pixels');
    this.#scratch = new Scratch(gpu, 'bench/pixels');
    this.#params = new ParamRing(gpu, 'bench/pixels.params', 4);
  }

  /** @param gpu  borrowed */
  static async create(gpu: Gpu): Promise<PixelPoints> {
    return new PixelPoints(gpu, await Kernel.create(gpu, pixelKernel, 'writePlaces'));
  }

  /** The pixels as points, which mean shift lets write themselves: see `pointsOfPicture`. */
  of({width, height, rgb}: Picture, {spatialBandwidth, colorBandwidth}: PixelScale): DevicePoints {
    const n = width * height;
    const perUnit = 1 / colorBandwidth;
    // A pixel wider on each side than it need be: coordinates are rounded.
    const bounds = {
      min: Float64Array.of(-1 / spatialBandwidth, -1 / spatialBandwidth, ...LAB_BOX.min.map((x) => x * perUnit)),
      max: Float64Array.of(width / spatialBandwidth, height / spatialBandwidth, ...LAB_BOX.max.map((x) => x * perUnit)),
    };
    const write: DevicePoints['write'] = async (places, {center, factor}) => {
      const [centerA, centerB, centerC, centerD, centerE] = center;
      const params = this.#params.write(pixelKernel.structs.PixelParams, {
        count: n,
        width,
        perPixel: 1 / spatialBandwidth,
        perUnit,
        factor,
        centerA,
        centerB,
        centerC,
        centerD,
        centerE,
        steps: COMPRESSED.length - 2,
      });
      const tables = await this.#send('tables', Float32Array.from([...LINEAR, ...COMPRESSED]));
      const toXyz = await this.#send('toXyz', Float32Array.from(TO_XYZ.flat()));
      const group = this.#kernel.bind({rgb: await this.#send('rgb', rgb), tables, toXyz, places, params});
      const encoder = this.#gpu.device.createCommandEncoder();
      const pass = encoder.beginComputePass({label: 'bench/pixels'});
      this.#kernel.dispatchOver(pass, group, n);
      pass.end();
      this.#gpu.device.queue.submit([encoder.finish()]);
    };
    return {n, dim: 5, bounds, write};
  }

  async #send(what: string, values: Float32Array | Uint8Array): Promise<GPUBuffer> {
    const target = this.#scratch.take(what, values.byteLength);
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    // Copies end at whole words.
    await this.#uploader.fill(4 * Math.ceil(bytes.length / 4), target, (mapped, start, end) =>
      new Uint8Array(mapped).set(bytes.subarray(start, end)),
    );
    return target;
  }

  destroy(): void {
    this.#uploader.destroy();
    this.#scratch.destroy();
    this.#params.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}
