import {Kernel, ParamRing, ReadBack, Scratch, Uploader, type BufferSlice, type Gpu} from '@epsball/gpu';
import type {DevicePoints, DevicePointScale} from '@epsball/mean-shift/gpu';
import type {Picture} from './imageFile.ts';
import {COMPRESSED, LAB_BOX, LINEAR, TO_XYZ} from './lab.ts';
import {modeColors, type PixelScale} from './pixels.ts';
import {pixelsWgsl} from './pixels.wgsl.ts';

type Writing = Kernel<typeof pixelsWgsl, 'writeVectors'>;
type Painting = Kernel<typeof pixelsWgsl, 'paintPixels'>;

const LABEL = 'cli/pixels';

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
    this.#uploader = new Uploader(gpu, LABEL);
    this.#reader = new ReadBack(gpu, LABEL);
    this.#scratch = new Scratch(gpu, LABEL);
    this.#params = new ParamRing(gpu, `${LABEL}.params`, 4);
  }

  /** @param gpu  borrowed */
  static async create(gpu: Gpu): Promise<PixelPoints> {
    const [writing, painting] = await Promise.all([
      Kernel.create(gpu, pixelsWgsl, 'writeVectors'),
      Kernel.create(gpu, pixelsWgsl, 'paintPixels'),
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
    const {spatialBandwidth: s, colorBandwidth: r} = scale;
    const inBandwidths = (x: number, axis: number): number => x / (axis < 2 ? s : r);
    return {
      n: width * height,
      dim: 5,
      // One pixel of margin on each side, because coordinates are rounded.
      bounds: {
        min: Float64Array.of(-1, -1, ...LAB_BOX.min).map(inBandwidths),
        max: Float64Array.of(width, height, ...LAB_BOX.max).map(inBandwidths),
      },
      write: async (vectors, scaling) => {
        const tables = await this.#send('tables', Float32Array.from([...LINEAR, ...COMPRESSED]));
        const toXyz = await this.#send('toXyz', Float32Array.from(TO_XYZ.flat()));
        const rgb = await this.#send('rgb', picture.rgb);
        const params = this.#paramsOf(picture, scale, scaling);
        this.#run(this.#writing, this.#writing.bind({rgb, tables, toXyz, vectors, params}), width * height);
      },
      take: onPainted && (async (labels, centers) => onPainted(await this.#paint(picture, scale, labels, centers))),
    };
  }

  async #paint(
    picture: Picture,
    scale: PixelScale,
    labels: GPUBuffer,
    clusterCenters: Float64Array,
  ): Promise<Uint8Array> {
    const n = picture.width * picture.height;
    const bytes = modeColors(clusterCenters, scale);
    const words = Uint32Array.from(
      {length: bytes.length / 3},
      (_, c) => bytes[3 * c] | (bytes[3 * c + 1] << 8) | (bytes[3 * c + 2] << 16),
    );
    const palette = await this.#send('palette', words);
    const painted = this.#scratch.take('painted', 12 * Math.ceil(n / 4));
    const params = this.#paramsOf(picture, scale, {center: new Float64Array(5), factor: 1, blocks: 2});
    this.#run(this.#painting, this.#painting.bind({params, labels, palette, painted}), Math.ceil(n / 4));
    const rgb = new Uint8Array(3 * n);
    await this.#reader.read(painted, rgb);
    return rgb;
  }

  #paramsOf({width, height}: Picture, scale: PixelScale, {center, factor}: DevicePointScale): BufferSlice {
    return this.#params.write(pixelsWgsl.structs.PixelParams, {
      count: width * height,
      width,
      perPixel: 1 / scale.spatialBandwidth,
      perUnit: 1 / scale.colorBandwidth,
      factor,
      center: [...center].slice(0, 4),
      lastCenter: center[4],
      steps: COMPRESSED.length - 2,
    });
  }

  #run(kernel: Writing | Painting, group: GPUBindGroup, threads: number): void {
    const encoder = this.#gpu.device.createCommandEncoder();
    const pass = encoder.beginComputePass({label: LABEL});
    kernel.dispatchOver(pass, group, threads);
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
