import {startNodeWorker} from '../src/host/nodeWorker.ts';
import {MessageThreads, type StartWorker} from '../src/messageThreads.ts';
import type {ThreadHost} from '../src/threads.ts';

/** Makes threads that get their orders as messages, for `createThreads` of a host. */
export function messageThreadsOf(start: StartWorker): ThreadHost['createThreads'] {
  return (threads, events) => new MessageThreads(threads, events, start);
}

/** On threads of Node. */
export const nodeMessageThreads: ThreadHost['createThreads'] = messageThreadsOf(startNodeWorker);
