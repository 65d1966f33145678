import {parentPort} from 'node:worker_threads';
import {EXTENSION, SOURCE_OPTIONS} from '@epsball/clustering/node';
import {Piscina} from 'piscina';

/** Hears of the part of an item that is done. */
export type ItemPart = (index: number, part: number) => void;

/** On a thread of a pool: tells the pool. */
export const tellPart: ItemPart = (index, part) => parentPort?.postMessage([index, part], []);

/** Opens a pool of threads. Each runs the module of this folder. */
export function threadPool(module: 'taskThread' | 'writePart', maxThreads: number, onPart: ItemPart): Piscina {
  const pool = new Piscina({
    filename: new URL(`./${module}.${EXTENSION}`, import.meta.url).href,
    // All start at once: they load the code while the first stage, of one task, runs.
    minThreads: maxThreads,
    maxThreads,
    ...SOURCE_OPTIONS,
  });
  pool.on('message', ([index, part]: Parameters<ItemPart>) => onPart(index, part));
  return pool;
}
