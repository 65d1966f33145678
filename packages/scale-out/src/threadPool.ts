import {EXTENSION, SOURCE_OPTIONS} from '@epsball/clustering/node';
import {Piscina} from 'piscina';

/** Opens a pool of threads. Each runs the module of this folder. */
export function threadPool(module: 'taskThread' | 'writePart', maxThreads: number): Piscina {
  return new Piscina({
    filename: new URL(`./${module}.${EXTENSION}`, import.meta.url).href,
    maxThreads,
    minThreads: 1,
    // A thread keeps the memory of its last task until it ends.
    idleTimeout: 1000,
    ...SOURCE_OPTIONS,
  });
}
