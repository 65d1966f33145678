import {onThread} from '../thread/onThread.ts';
import type {OpenBackend} from './segmented.ts';
import type * as hostJob from './hostJob.ts';

/**
 * Mean shift without a GPU, on a thread of its own: some steps take seconds in one piece, such as building the index,
 * sorting the modes, and painting.
 */
export function openOnHost(backend: Parameters<typeof hostJob.run>[0]['backend']): OpenBackend {
  return {
    backend: backend.backend,
    adapter: null,
    segment: (picture, params, {signal, onProgress}) =>
      onThread<typeof hostJob>('../segment/hostJob', {backend, picture, params}, {signal, onProgress}),
    [Symbol.dispose]: () => {},
  };
}
