import type {Backend} from '@epsball/dbscan';
import type {Environment} from '../compute/api.ts';

/** Variants whose backend `gpu` runs worker threads, too. */
const GPU_WITH_THREADS: readonly string[] = ['hybrid'];

/**
 * Why a variant cannot run in this browser.
 *
 * @param environment  undefined until the browser has been asked
 * @returns            undefined if nothing is missing
 */
export function whyUnavailable(
  environment: Environment | undefined,
  algorithm: string,
  backend: Backend,
): string | undefined {
  if (environment === undefined) return undefined;
  if (backend === 'gpu' && !environment.gpu.isAvailable) return 'no WebGPU in this browser';
  const needsMemory = backend === 'workers' || (backend === 'gpu' && GPU_WITH_THREADS.includes(algorithm));
  return needsMemory && !environment.hasSharedMemory
    ? 'no shared memory: the page is not cross-origin isolated'
    : undefined;
}
