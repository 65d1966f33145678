import {asksForGpu} from '@epsball/benchmarks';
import type {Run} from './run.ts';

/** Where no GPU cell ran, or the cells of a software adapter mislead, the summary says so. */
export function gpuWarning({result}: Run): string | null {
  const {adapter, adapterError} = result;
  if (adapter === null) return asksForGpu(result) ? `No GPU cell ran: ${adapterError ?? 'there was no adapter'}` : null;
  if (adapter.kind === 'hardware') return null;
  return `The GPU cells ran on ${adapter.name}, a software adapter: the processor plays GPU. They show that the code is right, and say nothing of the speed of a GPU.`;
}
