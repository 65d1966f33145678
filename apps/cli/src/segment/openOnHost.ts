import {on} from 'node:events';
import {Worker} from 'node:worker_threads';
import {InvalidParameterError} from '@epsball/clustering';
import {EXTENSION, refusedByNode, SOURCE_OPTIONS} from '@epsball/clustering/node';
import {FailureError} from '../errors.ts';
import type {HostJob, HostReply} from './hostThread.ts';
import type {OpenBackend} from './segmented.ts';

const THREAD = new URL(EXTENSION === 'ts' ? './hostThread.ts' : './hostThread.js', import.meta.url);

/**
 * Mean shift without a GPU, on a thread of its own. Some steps take seconds in one piece: building the index, sorting
 * the modes, painting. Meanwhile the main thread receives signals and draws the progress bar.
 */
export function openOnHost(backend: HostJob['backend']): OpenBackend {
  const refused = refusedByNode('worker', 'the thread of segment');
  if (refused !== undefined) throw new FailureError(refused);
  return {
    backend: backend.backend,
    adapter: null,
    segment: async (picture, params, {signal, onProgress}) => {
      const job: HostJob = {backend, picture, params};
      const worker = new Worker(THREAD, {workerData: job, ...SOURCE_OPTIONS});
      try {
        const replies: AsyncIterable<HostReply[]> = on(worker, 'message', {signal, close: ['exit']});
        for await (const [reply] of replies) {
          if ('segmented' in reply) return reply.segmented;
          onProgress?.(reply.progress);
        }
        throw new FailureError('the thread of the backend ended without a result');
      } catch (error) {
        throw withClass(error);
      } finally {
        void worker.terminate();
      }
    },
    [Symbol.dispose]: () => {},
  };
}

/** Between threads an error keeps its fields and loses its class. */
function withClass(error: unknown): unknown {
  if (!(error instanceof Error && 'parameter' in error && 'value' in error && 'expectation' in error)) return error;
  return new InvalidParameterError(String(error.parameter), error.value, String(error.expectation));
}
