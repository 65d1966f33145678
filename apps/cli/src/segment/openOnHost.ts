import {on} from 'node:events';
import {Worker} from 'node:worker_threads';
import {InvalidParameterError, type ProgressListener} from '@epsball/clustering';
import {refusedByNode} from '@epsball/clustering/node';
import {FailureError} from '../errors.ts';
import type {HostBackend, HostJob, HostReply} from './hostThread.ts';
import type {OpenBackend} from './segmented.ts';

const IS_SOURCE = import.meta.url.endsWith('.ts');
const THREAD = new URL(IS_SOURCE ? './hostThread.ts' : './hostThread.js', import.meta.url);

/** In a checkout, packages resolve to their sources on the thread as well. */
const EXEC_ARGV = IS_SOURCE ? ['--conditions=@epsball/source', '--disable-warning=ExperimentalWarning'] : [];

/**
 * Opens mean shift without a GPU, on a thread of its own. Some steps take seconds in one piece: building the index,
 * sorting the modes, painting. Meanwhile the main thread receives signals and draws the progress bar.
 *
 * @param signal  ends the wait for the thread; disposing the backend then ends the thread at once
 * @throws InvalidParameterError  if the number of threads is out of range
 * @throws FailureError           if Node's permission model refuses threads
 * @throws the signal's reason    if `signal` has fired
 */
export async function openOnHost(host: HostBackend, signal: AbortSignal): Promise<OpenBackend> {
  signal.throwIfAborted();
  const refused = refusedByNode('worker', 'the thread of segment');
  if (refused !== undefined) throw new FailureError(refused);
  const worker = new Worker(THREAD, {workerData: host, execArgv: EXEC_ARGV});
  const replies = on(worker, 'message', {signal, close: ['exit']});
  const end = (): void => void worker.terminate();
  try {
    await replyOf(replies, 'ready');
  } catch (error) {
    end();
    throw error;
  }
  return {
    backend: host.backend,
    adapter: null,
    segment: async (picture, params, {onProgress}) => {
      const job: HostJob = {picture, params};
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel between threads, not a window
      worker.postMessage(job);
      return (await replyOf(replies, 'done', onProgress)).segmented;
    },
    [Symbol.dispose]: end,
  };
}

type ReplyOf<Kind> = HostReply & {readonly kind: Kind};

/**
 * Waits for one kind of reply and passes the progress before it on.
 *
 * @throws InvalidParameterError  if the thread has rejected a parameter
 * @throws FailureError           if the thread has failed otherwise
 */
async function replyOf<Kind extends 'ready' | 'done'>(
  replies: AsyncIterator<HostReply[]>,
  wanted: Kind,
  onProgress?: ProgressListener,
): Promise<ReplyOf<Kind>> {
  for (;;) {
    const {done, value} = await replies.next();
    if (done === true) throw new FailureError('the thread of the backend ended without a result');
    const [reply] = value;
    if (isOf(reply, wanted)) return reply;
    if (reply.kind === 'progress') onProgress?.(reply.progress);
    if (reply.kind === 'failed') throw errorOf(reply);
  }
}

function isOf<Kind extends HostReply['kind']>(reply: HostReply, kind: Kind): reply is ReplyOf<Kind> {
  return reply.kind === kind;
}

function errorOf({message, parameter}: ReplyOf<'failed'>): Error {
  if (parameter === undefined) return new FailureError(message);
  return new InvalidParameterError(parameter.name, parameter.value, parameter.expectation);
}
