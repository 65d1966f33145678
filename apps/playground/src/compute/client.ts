import {wrap, type Remote} from 'comlink';
import type {ComputeApi} from './api.ts';

/** The compute thread, which starts with the page. */
export const compute: Remote<ComputeApi> = wrap(new Worker(new URL('./worker.ts', import.meta.url), {type: 'module'}));
