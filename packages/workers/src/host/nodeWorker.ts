import {Worker} from 'node:worker_threads';
import type {MessageWorker, MessageWorkerEvents, ThreadMessage} from '../messageThreads.ts';
import type * as serveMessages from '../serveMessages.ts';
import {taskModule} from '../taskModule.ts';

const SERVER = taskModule<typeof serveMessages>(import.meta.url, '../serveMessages');

/** When the sources run, packages of the workspace resolve to their sources on the threads as well. */
const EXEC_ARGV: {execArgv?: string[]} = SERVER.url.endsWith('.ts')
  ? {execArgv: ['--conditions=@epsball/source', '--disable-warning=ExperimentalWarning']}
  : {};

/** Starts a worker thread of Node. */
export function startNodeWorker({onMessage, onMessageError, onError}: MessageWorkerEvents): MessageWorker {
  const {url, code} = SERVER;
  const source = code === undefined ? url : `data:text/javascript,${encodeURIComponent(code)}`;
  const worker = new Worker(new URL(source), EXEC_ARGV);
  worker.on('message', (message: ThreadMessage) => onMessage(message));
  worker.on('messageerror', onMessageError);
  let failure: unknown;
  worker.on('error', (cause: unknown) => (failure = cause));
  // After the last message; the error may come before.
  worker.on('exit', (exitCode) => onError(failure ?? new Error(`a thread ended with exit code ${exitCode}`)));
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    post: (message) => worker.postMessage(message),
    terminate: () => worker.terminate(),
    hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
  };
}
