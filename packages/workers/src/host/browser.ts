// The workers of a browser. `node.ts` has the same names.
import type {ThreadMessage, ThreadStart} from '../order.ts';
import type * as serveMessages from '../serveMessages.ts';
import {taskModule} from '../task.ts';
import type {Thread, ThreadEvents, ThreadHost} from '../threads.ts';

const SERVER = taskModule<typeof serveMessages>(import.meta.url, '../serveMessages');

export const host: ThreadHost = {
  processors: () => navigator.hardwareConcurrency,
  missing,
  startThread: startWebWorker,
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

function startWebWorker(start: ThreadStart, {onMessage, onMessageError, onDeath}: ThreadEvents): Thread {
  const worker = new Worker(host.urlOf(SERVER.url, SERVER.code), {type: 'module', name: 'epsball'});
  const {port1, port2} = new MessageChannel();
  port1.addEventListener('message', ({data}: MessageEvent<ThreadMessage>) => onMessage(data));
  port1.addEventListener('messageerror', () => onMessageError(new Error('a message of a worker cannot be read')));
  port1.start();
  worker.postMessage({...start, port: port2}, [port2]);
  worker.addEventListener('error', ({message}) => {
    worker.terminate();
    onDeath(new Error(message || 'a worker could not be started'));
  });
  return {
    post: (order) => port1.postMessage(order),
    hold: () => {},
    end: async () => worker.terminate(),
  };
}
