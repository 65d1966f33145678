import {pointCount, type PointSet} from '@epsball/clustering';
import {MappedPoints, Scratch, Uploader, type Gpu} from '@epsball/gpu';
import {pointBounds, type PointBounds} from '../bounds.ts';
import {BoundsReduction} from './boundsReduction.ts';
import type {DevicePoints} from './devicePoints.ts';
import {roundingDisplacement} from './distanceBounds.ts';

/** Uploads point sets to the device. Owns the buffers, which the next upload reuses. */
export class PointUploader implements Disposable {
  readonly #gpu: Gpu;
  readonly #uploader: Uploader;
  readonly #scratch: Scratch;
  readonly #bounds: BoundsReduction;

  constructor(gpu: Gpu, label: string) {
    this.#gpu = gpu;
    this.#bounds = new BoundsReduction(gpu);
    this.#uploader = new Uploader(gpu, label);
    this.#scratch = new Scratch(gpu, `${label}/points`);
  }

  /**
   * @param points  float64 coordinates must be finite; for float32 points the search for the box finds non-finite ones
   * @param beginBoundsPass  creates the pass that computes the box of float32 points, submitted together with the
   *                         points. Default: no box is computed
   * @returns       valid until the next upload
   */
  async upload(
    points: PointSet,
    beginBoundsPass?: (encoder: GPUCommandEncoder) => GPUComputePassEncoder,
  ): Promise<DevicePoints> {
    const {coords, dim} = points;
    const n = pointCount(points);
    const target = this.#scratch.take('coords', 4 * coords.length);
    if (coords instanceof Float64Array) return this.#uploadWide(coords, dim, target);
    const onDevice = {n, dim, coords: target, displacement: 0, unchecked: points};
    const record = beginBoundsPass && (await this.#bounds.prepare(onDevice, beginBoundsPass));
    let ask: (() => Promise<PointBounds>) | undefined;
    const behind = (encoder: GPUCommandEncoder): void => {
      ask = record?.(encoder);
    };
    if (points instanceof MappedPoints) this.#sendMapped(points, target, behind);
    else await this.#uploader.upload(coords, target, behind);
    const comingBounds = ask?.();
    // If the run fails before it awaits the box, the run's own error is reported.
    comingBounds?.catch(() => undefined);
    return {...onDevice, comingBounds};
  }

  /** The points are in memory that the device reads. */
  #sendMapped(points: MappedPoints, target: GPUBuffer, behind: (encoder: GPUCommandEncoder) => void): void {
    const encoder = this.#gpu.device.createCommandEncoder();
    encoder.copyBufferToBuffer(points.unmap(), 0, target, 0, 4 * points.n * points.dim);
    behind(encoder);
    this.#gpu.device.queue.submit([encoder.finish()]);
  }

  async #uploadWide(coords: Float64Array, dim: number, target: GPUBuffer): Promise<DevicePoints> {
    const bounds = pointBounds({coords, dim});
    const wideCoords = this.#scratch.take('wideCoords', 8 * coords.length);
    await this.#uploader.upload(coords, wideCoords);
    await this.#uploader.fill(4 * coords.length, target, (mapped, start, end) => {
      const chunk = new Float32Array(mapped, 0, (end - start) / 4);
      const first = start / 4;
      for (let k = 0; k < chunk.length; k++) chunk[k] = coords[first + k] - bounds.min[(first + k) % dim];
    });
    let displacement = 0;
    for (let d = 0; d < dim; d++) {
      const magnitude = Math.max(Math.abs(bounds.min[d]), Math.abs(bounds.max[d]));
      displacement = Math.max(displacement, roundingDisplacement(bounds.max[d] - bounds.min[d], magnitude));
    }
    return {n: coords.length / dim, dim, coords: target, wideCoords, bounds, displacement};
  }

  destroy(): void {
    this.#bounds.destroy();
    this.#uploader.destroy();
    this.#scratch.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}
