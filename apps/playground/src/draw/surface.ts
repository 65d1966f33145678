import {openGpu, type Gpu} from '@epsball/gpu';
import type {DrawChoice} from '../state/link.ts';
import {drawOnHost} from './drawOnHost.ts';
import {NO_LABEL, type DrawnPoints, type Picture} from './picture.ts';
import {PointDrawing} from './pointDrawing.ts';

/** A canvas that shows pictures of points. */
export interface Surface {
  readonly kind: 'webgpu' | 'canvas';
  setPoints(points: DrawnPoints): void;
  setLabels(labels: Int32Array | undefined): void;
  setPalette(palette: Float32Array): void;
  /** Shows a picture; resolves when it is complete. */
  draw(picture: Picture): Promise<void>;
  destroy(): void;
}

/**
 * Opens a surface on a canvas.
 *
 * @param choice  `auto`: WebGPU on a hardware GPU, else canvas 2D, which is faster than a software GPU
 */
export async function createSurface(canvas: HTMLCanvasElement, choice: DrawChoice): Promise<Surface> {
  const adapter = choice === 'canvas' ? null : await requestAdapter();
  if (!adapter || (choice === 'auto' && isSoftware(adapter))) return new CanvasSurface(canvas);
  const {maxStorageBufferBindingSize, maxBufferSize} = adapter.limits;
  const device = await adapter.requestDevice({requiredLimits: {maxStorageBufferBindingSize, maxBufferSize}});
  const format = navigator.gpu.getPreferredCanvasFormat();
  const context = canvas.getContext('webgpu');
  if (!context) return new CanvasSurface(canvas);
  context.configure({device, format, usage: GPUTextureUsage.COPY_DST | GPUTextureUsage.RENDER_ATTACHMENT});
  const gpu = await openGpu({device});
  return new GpuSurface(context, gpu, await PointDrawing.create(gpu, format === 'bgra8unorm'));
}

async function requestAdapter(): Promise<GPUAdapter | null> {
  const found = await navigator.gpu?.requestAdapter({powerPreference: 'high-performance'}).catch(() => null);
  return found ?? null;
}

function isSoftware({info}: GPUAdapter): boolean {
  return info.isFallbackAdapter || /swiftshader|llvmpipe|lavapipe|software|basic render/i.test(textOf(info));
}

function textOf({vendor, architecture, device, description}: GPUAdapterInfo): string {
  return [vendor, architecture, device, description].join(' ');
}

class GpuSurface implements Surface {
  readonly kind = 'webgpu';
  readonly #context: GPUCanvasContext;
  readonly #gpu: Gpu;
  readonly #drawing: PointDrawing;
  #n = 0;

  constructor(context: GPUCanvasContext, gpu: Gpu, drawing: PointDrawing) {
    this.#context = context;
    this.#gpu = gpu;
    this.#drawing = drawing;
  }

  setPoints(points: DrawnPoints): void {
    this.#n = points.labels.length;
    this.#drawing.setPoints(points);
  }

  setLabels(labels: Int32Array | undefined): void {
    this.#drawing.setLabels(labels ?? new Int32Array(this.#n).fill(NO_LABEL));
  }

  setPalette(palette: Float32Array): void {
    this.#drawing.setPalette(palette);
  }

  async draw(picture: Picture): Promise<void> {
    const {device} = this.#gpu;
    const encoder = device.createCommandEncoder({label: 'playground/frame'});
    const image = this.#drawing.encode(encoder, picture);
    encoder.copyBufferToTexture(image, {texture: this.#context.getCurrentTexture()}, [picture.width, picture.height]);
    device.queue.submit([encoder.finish()]);
    await device.queue.onSubmittedWorkDone();
  }

  destroy(): void {
    this.#drawing.destroy();
    this.#gpu.device.destroy();
  }
}

class CanvasSurface implements Surface {
  readonly kind = 'canvas';
  readonly #context: CanvasRenderingContext2D | null;
  #points: DrawnPoints = {coords: new Float32Array(0), labels: new Int32Array(0)};
  #palette: Float32Array = new Float32Array(0);

  constructor(canvas: HTMLCanvasElement) {
    this.#context = canvas.getContext('2d');
  }

  setPoints(points: DrawnPoints): void {
    this.#points = points;
  }

  setLabels(labels: Int32Array | undefined): void {
    const {coords} = this.#points;
    this.#points = {coords, labels: labels ?? new Int32Array(coords.length / 2).fill(NO_LABEL)};
  }

  setPalette(palette: Float32Array): void {
    this.#palette = palette;
  }

  async draw(picture: Picture): Promise<void> {
    const bytes = drawOnHost(this.#points, this.#palette, picture);
    this.#context?.putImageData(new ImageData(bytes, picture.width, picture.height), 0, 0);
  }

  destroy(): void {
    // Nothing but the canvas, which the page owns.
  }
}
