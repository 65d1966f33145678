import {EXTENSION, SOURCE_OPTIONS} from '@epsball/clustering/node';
import {Piscina} from 'piscina';

/** Opens a pool of threads. Each runs the module of this folder. */
export function threadPool(module: 'taskThread' | 'writePart', maxThreads: number): Piscina {
  return new Piscina({
    filename: new URL(`./${module}.${EXTENSION}`, import.meta.url).href,
    // All start at once: they load the code while the first stage, of one task, runs.
    minThreads: maxThreads,
    maxThreads,
    ...SOURCE_OPTIONS,
  });
}
