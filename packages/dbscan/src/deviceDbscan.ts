import {InvalidParameterError, type DbscanParams, type DbscanRunOptions} from '@epsball/clustering';
import type {DeviceInput, DeviceResult} from '@epsball/dbscan-grid-bfs/gpu';
import type {Gpu} from '@epsball/gpu';

export interface DeviceDbscanOptions {
  /** The device that holds the points; borrowed. Ask for its adapter's limits: kernels bind ten storage buffers. */
  readonly device?: GPUDevice | undefined;
  /** The same as an open `Gpu`; borrowed. */
  readonly gpu?: Gpu | undefined;
}

/** DBSCAN from device memory to device memory. */
export interface DeviceDbscan extends Disposable {
  /**
   * Clusters float32 points that lie in a buffer of the device and leaves labels and core flags in two others, which
   * are valid until the next run and belong to this object.
   *
   * @throws InvalidParameterError, UnsupportedDimensionError, GpuLimitError, GpuDeviceLostError, RunAbortedError;
   *         coordinates are not looked at: they must be finite
   */
  run(input: DeviceInput, params: DbscanParams, options?: DbscanRunOptions): Promise<DeviceResult>;
  /** Frees buffers and pipelines, not the device; safe to call twice. */
  destroy(): void;
}

/**
 * Readies DBSCAN for points that are on a device already, for callers who own one: nothing crosses the bus but a few
 * words a run.
 *
 * @throws InvalidParameterError  unless exactly one of `device` and `gpu` is given
 * @throws GpuLimitError          if the device binds too few storage buffers a kernel
 */
export async function createDeviceDbscan({device, gpu}: DeviceDbscanOptions): Promise<DeviceDbscan> {
  if ((device === undefined) === (gpu === undefined)) {
    throw new InvalidParameterError('device', device ?? gpu, 'exactly one of device and gpu');
  }
  const [{openGpu}, {createGridBfsGpu}] = await Promise.all([
    import('@epsball/gpu'),
    import('@epsball/dbscan-grid-bfs/gpu'),
  ]);
  const opened = gpu ?? (await openGpu(device === undefined ? {} : {device}));
  const algorithm = await createGridBfsGpu(opened);
  const destroy = (): void => algorithm.destroy();
  return {
    run: (input, params, options) => algorithm.runOnDevice(input, params, options),
    destroy,
    [Symbol.dispose]: destroy,
  };
}
