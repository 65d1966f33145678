// The threads of Node. `browser.ts` has the same names.
import {existsSync} from 'node:fs';
import {createRequire} from 'node:module';
import {availableParallelism} from 'node:os';
import {fileURLToPath} from 'node:url';
import type * as piscina from 'piscina';
import {MessageThreads} from '../messageThreads.ts';
import {Residents} from '../residents.ts';
import {MODULE} from '../residentTask.ts';
import type {ThreadEvents, ThreadHost, Threads} from '../threads.ts';
import {startNodeWorker} from './nodeWorker.ts';

export const host: ThreadHost = {
  processors: () => availableParallelism(),
  missing: () => undefined,
  createThreads,
  urlOf: (url, code) => (code === undefined || isFile(url) ? url : dataUrl(code)),
};

/**
 * Resident tasks on piscina. In a bundle piscina finds neither its own worker nor ours; threads then get their orders
 * as messages, and their modules as text.
 */
function createThreads(threads: number, events: ThreadEvents): Threads {
  const loaded = isFile(MODULE) ? loadPiscina() : undefined;
  return loaded === undefined
    ? new MessageThreads(threads, events, startNodeWorker)
    : new Residents(threads, events, loaded.Piscina);
}

function loadPiscina(): typeof piscina | undefined {
  try {
    // Not an import: a bundler would follow it.
    return createRequire(import.meta.url)('piscina');
  } catch {
    return undefined;
  }
}

function isFile(url: string): boolean {
  return url.startsWith('file:') && existsSync(fileURLToPath(url));
}

/** By code: threads compare URLs. */
const dataUrls = new Map<string, string>();

function dataUrl(code: string): string {
  let url = dataUrls.get(code);
  if (url === undefined) dataUrls.set(code, (url = `data:text/javascript,${encodeURIComponent(code)}`));
  return url;
}
