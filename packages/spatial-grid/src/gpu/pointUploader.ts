import {KeptPoints, pointCount, type PointSet} from '@epsball/clustering';
import {MappedPoints, Scratch, Uploader, Owner, type Gpu} from '@epsball/gpu';
import {pointBounds, type PointBounds} from '../bounds.ts';
import {BoundsReduction} from './boundsReduction.ts';
import type {DevicePoints} from './devicePoints.ts';
import {roundingDisplacement} from './distanceBounds.ts';

interface Sent {
  readonly points: KeptPoints;
  readonly onDevice: DevicePoints;
  hasArrived: boolean;
}

/** Uploads point sets to the device. Owns the buffers, which the next upload reuses. */
export class PointUploader extends Owner {
  readonly #gpu: Gpu;
  readonly #uploader: Uploader;
  readonly #scratch: Scratch;
  readonly #bounds: BoundsReduction;
  #sent: Sent | undefined;

  constructor(gpu: Gpu, label: string) {
    super();
    this.#gpu = gpu;
    this.#bounds = this.own(new BoundsReduction(gpu));
    this.#uploader = this.own(new Uploader(gpu, label));
    this.#scratch = this.own(new Scratch(gpu, `${label}/points`));
  }

  /**
   * @param points  float64 coordinates must be finite; for float32 points the search for the box finds non-finite ones
   * @param beginBoundsPass  creates the pass that computes the box of float32 points, submitted together with the
   *                         points. Default: no box is computed
   * @returns       valid until the next upload. Points of `keepPoints` that are still on the device are not sent again;
   *                the same object is returned
   */
  async upload(
    points: PointSet,
    beginBoundsPass?: (encoder: GPUCommandEncoder) => GPUComputePassEncoder,
  ): Promise<DevicePoints> {
    const {coords, dim} = points;
    const target = this.#scratch.take('coords', 4 * coords.length);
    const wideTarget = coords instanceof Float64Array ? this.#scratch.take('wideCoords', 8 * coords.length) : undefined;
    const sent = this.#sent;
    // After a failed run `take` returns other buffers.
    const isThere =
      sent?.points === points && sent.onDevice.coords === target && sent.onDevice.wideCoords === wideTarget;
    if (isThere && sent.hasArrived) return sent.onDevice;
    this.#sent = undefined;
    const onDevice =
      wideTarget !== undefined && coords instanceof Float64Array
        ? await this.#uploadWide(coords, dim, target, wideTarget)
        : await this.#uploadNarrow(points, target, beginBoundsPass);
    if (points instanceof KeptPoints) this.#remember({points, onDevice, hasArrived: false});
    return onDevice;
  }

  #remember(sent: Sent): void {
    this.#sent = sent;
    const arrived = (): void => {
      sent.hasArrived = true;
    };
    // The box is computed behind the transfer. If it fails, the points are sent again.
    if (sent.onDevice.comingBounds === undefined) arrived();
    else sent.onDevice.comingBounds.then(arrived, () => undefined);
  }

  async #uploadNarrow(
    points: PointSet,
    target: GPUBuffer,
    beginBoundsPass?: (encoder: GPUCommandEncoder) => GPUComputePassEncoder,
  ): Promise<DevicePoints> {
    const {coords, dim} = points;
    const n = pointCount(points);
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

  async #uploadWide(
    coords: Float64Array,
    dim: number,
    target: GPUBuffer,
    wideCoords: GPUBuffer,
  ): Promise<DevicePoints> {
    const bounds = pointBounds({coords, dim});
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
}
