// The threads of Node. `browser.ts` has the same names.
import {existsSync} from 'node:fs';
import {availableParallelism} from 'node:os';
import {fileURLToPath} from 'node:url';
import {refusedByNode} from '@epsball/clustering/node';
import {MessageThreads} from '../messageThreads.ts';
import {ReplaceableThreads, type Create} from '../replaceableThreads.ts';
import {Residents} from '../residents.ts';
import {MODULE} from '../residentTask.ts';
import type {ThreadEvents, ThreadHost, Threads} from '../threads.ts';
import {startNodeWorker} from './nodeWorker.ts';
import {loadPiscina} from './piscina.ts';

export const host: ThreadHost = {
  processors: () => availableParallelism(),
  missing: () => refusedByNode('worker', 'worker threads'),
  createThreads,
  urlOf: (url, code) => (code === undefined || isFile(url) ? url : dataUrl(code)),
};

/**
 * Resident tasks on piscina. In a bundle piscina finds neither its own worker nor ours; threads then get their orders
 * as messages, and their modules as text.
 */
function createThreads(threads: number, events: ThreadEvents): Threads {
  const onMessages: Create<Threads> = (to) => new MessageThreads(threads, to, startNodeWorker);
  const Piscina = isFile(MODULE) ? loadPiscina(MODULE) : undefined;
  return Piscina === undefined
    ? onMessages(events)
    : new ReplaceableThreads(events, (to) => new Residents(threads, to, Piscina), onMessages);
}

function isFile(url: string): boolean {
  try {
    return url.startsWith('file:') && existsSync(fileURLToPath(url));
  } catch {
    // Node's permission model refuses to look.
    return false;
  }
}

/** By code: threads compare URLs. */
const dataUrls = new Map<string, string>();

function dataUrl(code: string): string {
  let url = dataUrls.get(code);
  if (url === undefined) dataUrls.set(code, (url = `data:text/javascript,${encodeURIComponent(code)}`));
  return url;
}
