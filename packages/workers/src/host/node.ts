// The threads of Node. `browser.ts` has the same names.
import {existsSync} from 'node:fs';
import {availableParallelism} from 'node:os';
import {fileURLToPath} from 'node:url';
import {refusedByNode} from '@epsball/clustering/node';
import type {StartThread, ThreadHost} from '../threads.ts';
import {loadPiscina, MODULE, startNodeWorker, startOnPiscina} from './nodeThread.ts';

let engine: StartThread | undefined;

export const host: ThreadHost = {
  processors: () => availableParallelism(),
  missing: () => refusedByNode('worker', 'worker threads'),
  startThread: (start, events) => (engine ??= chooseEngine())(start, events),
  urlOf: (url, code) => (code === undefined || isFile(url) ? url : dataUrl(code)),
};

/** Piscina. In a bundle it finds neither its own worker nor ours; modules of plain workers are texts there. */
function chooseEngine(): StartThread {
  const Piscina = isFile(MODULE) ? loadPiscina(MODULE) : undefined;
  return Piscina === undefined ? startNodeWorker : startOnPiscina(Piscina);
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
