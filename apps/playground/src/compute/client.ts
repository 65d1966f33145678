import {wrap, type Remote} from 'comlink';
import type {Compute} from './worker.ts';

/** The compute thread, which starts with the page. */
export const compute: Remote<Compute> = wrap(new Worker(new URL('./worker.ts', import.meta.url), {type: 'module'}));
