import {Kernel, ParamRing, type Gpu, type GpuBuffer} from '@epsball/gpu';
import {drawingWgsl} from './drawing.wgsl.ts';
import {COLOURS} from './palette.ts';
import {levelsFor, type DrawnPoints, type Picture} from './picture.ts';

type Source = typeof drawingWgsl;

/** Rows of a copied image begin at multiples of so many bytes. */
const ROW_ALIGNMENT = 256;

/** An image in device memory, to be copied into a texture. */
export interface DrawnImage {
  readonly buffer: GPUBuffer;
  readonly bytesPerRow: number;
}

/** Draws points on a device. Owns its buffers; borrows the device. */
export class PointDrawing implements Disposable {
  readonly #gpu: Gpu;
  readonly #add: Kernel<Source, 'addPoints'>;
  readonly #mix: Kernel<Source, 'mixPixels'>;
  readonly #params: ParamRing;
  readonly #palette: GpuBuffer;
  readonly #isBgra: boolean;
  #coords: GpuBuffer | undefined;
  #labels: GpuBuffer | undefined;
  #n = 0;
  #sums: GpuBuffer | undefined;
  #image: GpuBuffer | undefined;
  #pixels = 0;
  #imageBytes = 0;

  private constructor(
    gpu: Gpu,
    kernels: readonly [Kernel<Source, 'addPoints'>, Kernel<Source, 'mixPixels'>],
    isBgra: boolean,
  ) {
    this.#gpu = gpu;
    [this.#add, this.#mix] = kernels;
    this.#isBgra = isBgra;
    this.#params = new ParamRing(gpu, 'playground/view');
    this.#palette = this.#storage('palette', 16 * (COLOURS + 3));
  }

  /** @param isBgra  whether the image's bytes are blue, green, red, as of `bgra8unorm` */
  static async create(gpu: Gpu, isBgra: boolean): Promise<PointDrawing> {
    const kernels = await Promise.all([
      Kernel.create(gpu, drawingWgsl, 'addPoints'),
      Kernel.create(gpu, drawingWgsl, 'mixPixels'),
    ]);
    return new PointDrawing(gpu, kernels, isBgra);
  }

  /** Sets the points. Coordinates and labels are copied. */
  setPoints({coords, labels}: DrawnPoints): void {
    const n = labels.length;
    this.#coords?.destroy();
    this.#labels?.destroy();
    this.#coords = this.#storage('coords', 8 * n);
    this.#labels = this.#storage('labels', 4 * n);
    this.#n = n;
    this.#write(this.#coords, coords);
    this.#write(this.#labels, labels);
  }

  setLabels(labels: Int32Array): void {
    if (this.#labels) this.#write(this.#labels, labels);
  }

  /** Sets the colours, in the layout of `paletteOf`. */
  setPalette(palette: Float32Array): void {
    this.#write(this.#palette, palette);
  }

  /** Records a picture. The image is complete when the submitted commands are. */
  encode(encoder: GPUCommandEncoder, picture: Picture, pass?: GPUComputePassDescriptor): DrawnImage {
    const {width, height, step} = picture;
    const bytesPerRow = Math.ceil((4 * width) / ROW_ALIGNMENT) * ROW_ALIGNMENT;
    const {sums, image} = this.#reserve(width * height, bytesPerRow * height);
    const view = this.#params.write(drawingWgsl.structs.View, {
      ...picture,
      levels: levelsFor(this.#n),
      rowWords: bytesPerRow / 4,
      n: this.#n,
      colours: COLOURS,
      isBgra: this.#isBgra ? 1 : 0,
    });
    const commands = encoder.beginComputePass(pass ?? {label: 'playground/picture'});
    if (this.#n > 0 && this.#coords && this.#labels) {
      const group = this.#add.bind({view, coords: this.#coords, labels: this.#labels, palette: this.#palette, sums});
      this.#add.dispatchOver(commands, group, Math.ceil(this.#n / step));
    }
    this.#mix.dispatchOver(commands, this.#mix.bind({view, pixelSums: sums, image}), width * height);
    commands.end();
    return {buffer: image.buffer, bytesPerRow};
  }

  destroy(): void {
    for (const buffer of [this.#coords, this.#labels, this.#sums, this.#image, this.#palette]) buffer?.destroy();
    this.#params.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }

  /** Buffers for a picture of this size. New sums are zero, and `mixPixels` leaves zeros. */
  #reserve(pixels: number, imageBytes: number): {sums: GpuBuffer; image: GpuBuffer} {
    if (this.#sums === undefined || pixels > this.#pixels) {
      this.#sums?.destroy();
      this.#sums = this.#storage('sums', 16 * pixels);
      this.#pixels = pixels;
    }
    if (this.#image === undefined || imageBytes > this.#imageBytes) {
      this.#image?.destroy();
      this.#image = this.#storage('image', imageBytes);
      this.#imageBytes = imageBytes;
    }
    return {sums: this.#sums, image: this.#image};
  }

  #storage(what: string, bytes: number): GpuBuffer {
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
    return this.#gpu.createBuffer(`playground/${what}`, bytes, usage);
  }

  #write(target: GpuBuffer, values: Float32Array | Int32Array): void {
    this.#gpu.device.queue.writeBuffer(target.buffer, 0, values.buffer, values.byteOffset, values.byteLength);
  }
}
