import {GpuUnavailableError} from '@epsball/clustering';
import {openGpu, type Gpu} from '@epsball/gpu';

/** The GPU that EPSBALL_ADAPTER names, by default the best one; or the reason why there is none. */
export async function openGpuOrExplain(): Promise<Gpu | string> {
  try {
    return await openGpu({});
  } catch (error) {
    if (error instanceof GpuUnavailableError) return error.message;
    throw error;
  }
}

export function isGpu(opened: Gpu | string): opened is Gpu {
  return typeof opened !== 'string';
}
