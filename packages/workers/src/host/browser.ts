// The workers of a browser. `node.ts` has the same names.
import {MessageThreads, type MessageWorker, type MessageWorkerEvents, type ThreadMessage} from '../messageThreads.ts';
import type * as serveMessages from '../serveMessages.ts';
import {taskModule} from '../taskModule.ts';
import type {ThreadHost} from '../threads.ts';

const SERVER = taskModule<typeof serveMessages>(import.meta.url, '../serveMessages');

export const host: ThreadHost = {
  processors: () => navigator.hardwareConcurrency,
  missing,
  createThreads: (threads, events) => new MessageThreads(threads, events, startWebWorker),
  urlOf: (url, code) => (code === undefined ? url : objectUrl(code)),
};

function missing(): string | undefined {
  if (typeof Worker === 'undefined') return 'no Web Workers here; expected a page, or a worker that may start workers';
  if (typeof SharedArrayBuffer !== 'undefined' && globalThis.crossOriginIsolated) return undefined;
  return (
    'no shared memory; expected a cross-origin isolated page ' +
    '(headers Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp)'
  );
}

/** Object URLs by code. They live as long as the page: a worker may load one at any time. */
const objectUrls = new Map<string, string>();

function objectUrl(code: string): string {
  let url = objectUrls.get(code);
  if (url === undefined) {
    objectUrls.set(code, (url = URL.createObjectURL(new Blob([code], {type: 'text/javascript'}))));
  }
  return url;
}

function startWebWorker({onMessage, onMessageError, onError}: MessageWorkerEvents): MessageWorker {
  const worker = new Worker(host.urlOf(SERVER.url, SERVER.code), {type: 'module', name: 'epsball'});
  worker.addEventListener('message', ({data}: MessageEvent<ThreadMessage>) => onMessage(data));
  worker.addEventListener('messageerror', () => onMessageError(new Error('a message of a worker cannot be read')));
  worker.addEventListener('error', ({message}) => onError(new Error(message || 'a worker could not be started')));
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker, not a window
    post: (message) => worker.postMessage(message),
    terminate: async () => worker.terminate(),
    hold: () => {},
  };
}
