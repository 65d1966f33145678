import {Kernel, ParamRing, ReadBack, Scratch, Uploader, type BufferSlice, type Gpu} from '@epsball/gpu';
import type {DevicePoints, DevicePointScale} from '@epsball/mean-shift/gpu';
import type {Picture} from './imageFile.ts';
import {COMPRESSED, LAB_BOX, LINEAR, TO_XYZ} from './lab.ts';
import {pixelKernel} from './pixelKernel.ts';
import {modeColors, type PixelScale} from './pixels.ts';

type Writing = Kernel<typeof pixelKernel, 'writeVectors'>;
type Painting = Kernel<typeof pixelKernel, 'paintPixels'>;

/** A picture and the scale of its points. */
interface Job {
  readonly picture: Picture;
  readonly scale: PixelScale;
}

/** Makes points of pixels on the device and paints them there. So 3 bytes per pixel are transferred instead of 24. */
export class PixelPoints implements Disposable {
  readonly #gpu: Gpu;
  readonly #writing: Writing;
  readonly #painting: Painting;
  readonly #uploader: Uploader;
  readonly #reader: ReadBack;
  readonly #scratch: Scratch;
  readonly #params: ParamRing;

  private constructor(gpu: Gpu, writing: Writing, painting: Painting) {
    this.#gpu = gpu;
    this.#writing = writing;
    this.#painting = painting;
    this.#uploader = new Uploader(gpu, 'bench/pixels');
    this.#reader = new ReadBack(gpu, 'bench/pixels');
    this.#scratch = new Scratch(gpu, 'bench/pixels');
    this.#params = new ParamRing(gpu, 'bench/pixels.params', 4);
  }

  /** @param gpu  borrowed */
  static async create(gpu: Gpu): Promise<PixelPoints> {
    const [writing, painting] = await Promise.all([
      Kernel.create(gpu, pixelKernel, 'writeVectors'),
      Kernel.create(gpu, pixelKernel, 'paintPixels'),
    ]);
    return new PixelPoints(gpu, writing, painting);
  }

  /**
   * The pixels as points that are written on the device; see `pointsOfPicture`.
   *
   * @param onPainted  receives the colours of the pixels' modes, three bytes each. Without it, labels are read back
   */
  of(picture: Picture, scale: PixelScale, onPainted?: (rgb: Uint8Array) => void): DevicePoints {
    const {width, height} = picture;
    const {spatialBandwidth, colorBandwidth} = scale;
    // One pixel of margin on each side, because coordinates are rounded.
    const bounds = {
      min: Float64Array.of(-1 / spatialBandwidth, -1 / spatialBandwidth, ...LAB_BOX.min.map((x) => x / colorBandwidth)),
      max: Float64Array.of(
        width / spatialBandwidth,
        height / spatialBandwidth,
        ...LAB_BOX.max.map((x) => x / colorBandwidth),
      ),
    };
    const job = {picture, scale};
    return {
      n: width * height,
      dim: 5,
      bounds,
      write: (vectors, scaling) => this.#write(job, vectors, scaling),
      take: onPainted && (async (labels, centers) => onPainted(await this.#paint(job, labels, centers))),
    };
  }

  async #write({picture, scale}: Job, vectors: GPUBuffer, scaling: DevicePointScale): Promise<void> {
    const tables = await this.#send('tables', Float32Array.from([...LINEAR, ...COMPRESSED]));
    const toXyz = await this.#send('toXyz', Float32Array.from(TO_XYZ.flat()));
    const rgb = await this.#send('rgb', picture.rgb);
    const params = this.#paramsOf({picture, scale}, scaling);
    const group = this.#writing.bind({rgb, tables, toXyz, vectors, params});
    this.#submit((pass) => this.#writing.dispatchOver(pass, group, picture.width * picture.height));
  }

  async #paint({picture, scale}: Job, labels: GPUBuffer, clusterCenters: Float64Array): Promise<Uint8Array> {
    const n = picture.width * picture.height;
    const bytes = modeColors(clusterCenters, scale);
    const words = new Uint32Array(bytes.length / 3);
    for (let c = 0; c < words.length; c++) {
      words[c] = bytes[3 * c] | (bytes[3 * c + 1] << 8) | (bytes[3 * c + 2] << 16);
    }
    const palette = await this.#send('palette', words);
    const painted = this.#scratch.take('painted', 12 * Math.ceil(n / 4));
    const params = this.#paramsOf({picture, scale}, {center: new Float64Array(5), factor: 1, blocks: 2});
    const group = this.#painting.bind({params, labels, palette, painted});
    this.#submit((pass) => this.#painting.dispatchOver(pass, group, Math.ceil(n / 4)));
    const rgb = new Uint8Array(3 * n);
    await this.#reader.read(painted, rgb);
    return rgb;
  }

  #paramsOf({picture, scale}: Job, {center, factor}: DevicePointScale): BufferSlice {
    const [centerA, centerB, centerC, centerD, centerE] = center;
    return this.#params.write(pixelKernel.structs.PixelParams, {
      count: picture.width * picture.height,
      width: picture.width,
      perPixel: 1 / scale.spatialBandwidth,
      perUnit: 1 / scale.colorBandwidth,
      factor,
      centerA,
      centerB,
      centerC,
      centerD,
      centerE,
      steps: COMPRESSED.length - 2,
    });
  }

  #submit(record: (pass: GPUComputePassEncoder) => void): void {
    const encoder = this.#gpu.device.createCommandEncoder();
    const pass = encoder.beginComputePass({label: 'bench/pixels'});
    record(pass);
    pass.end();
    this.#gpu.device.queue.submit([encoder.finish()]);
  }

  async #send(what: string, values: Float32Array | Uint32Array | Uint8Array): Promise<GPUBuffer> {
    const target = this.#scratch.take(what, values.byteLength);
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    // Copies have whole words.
    await this.#uploader.fill(4 * Math.ceil(bytes.length / 4), target, (mapped, start, end) =>
      new Uint8Array(mapped).set(bytes.subarray(start, end)),
    );
    return target;
  }

  destroy(): void {
    for (const owned of [this.#uploader, this.#reader, this.#scratch, this.#params]) owned.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}
