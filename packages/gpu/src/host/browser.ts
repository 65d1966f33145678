// What a GPU needs in a browser. `node.ts` has the same names.
import {GpuUnavailableError} from '@epsball/clustering';
import type {AdapterKind} from '../adapterChoice.ts';

export function forcedAdapter(): string | undefined {
  return undefined;
}

export async function instanceFor(): Promise<GPU> {
  if (typeof navigator !== 'undefined' && 'gpu' in navigator && navigator.gpu) return navigator.gpu;
  throw new GpuUnavailableError('no navigator.gpu; expected a browser with WebGPU, and a page from https or localhost');
}

/** What adapters of this kind lack; undefined if nothing is known to be missing. */
export async function missingFor(kind: AdapterKind): Promise<string | undefined> {
  return kind === 'bundled' ? 'a browser has no bundled adapter' : undefined;
}

/** Not called: `missingFor` has said why. */
export async function requestBundled(): Promise<GPUAdapter | null> {
  return null;
}

/** Does nothing: a browser has no threads for this. The first write to a page touches it. */
export async function touchPages(): Promise<void> {}
