import {instanceFor} from '#host';

/**
 * The `GPU` object for a driver configuration: `navigator.gpu` in a browser, else one Dawn instance per key.
 *
 * @param key           name of the configuration
 * @param extraOptions  further Dawn options, for example `backend=null`
 * @throws GpuUnavailableError  if npm webgpu is not installed or does not load; names the line that installs it
 */
export function gpuInstance(key: string, extraOptions: readonly string[] = []): Promise<GPU> {
  return instanceFor(key, extraOptions);
}
