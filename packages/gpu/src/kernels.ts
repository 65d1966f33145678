import type {Gpu} from './gpu.ts';
import {Kernel} from './kernel.ts';
import type {EntryPoint, KernelSource, Overrides} from './kernelSource.ts';
import {keyOf} from './pipelineCache.ts';

/**
 * Kernels that an owner asks for in every run: each is made once and kept, and with it what it has bound. A kernel that is made anew in every run loses its bind groups
 * whenever garbage is collected between two, and a bind group takes the host some 20 µs.
 */
export class Kernels {
  readonly #gpu: Gpu;
  readonly #made = new Map<KernelSource, Map<string, Promise<Kernel>>>();

  constructor(gpu: Gpu) {
    this.#gpu = gpu;
  }

  /** As `Kernel.create`. */
  get<S extends KernelSource, E extends EntryPoint<S>>(
    source: S,
    entryPoint: E,
    overrides: Overrides<S> = {},
  ): Promise<Kernel<S, E>> {
    let ofSource = this.#made.get(source);
    if (!ofSource) this.#made.set(source, (ofSource = new Map()));
    const key = keyOf(entryPoint, overrides);
    const kept = ofSource.get(key);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made from this source and entry point
    if (kept) return kept as Promise<unknown> as Promise<Kernel<S, E>>;
    const made = Kernel.create(this.#gpu, source, entryPoint, overrides);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same way back
    ofSource.set(key, made as Promise<unknown> as Promise<Kernel>);
    const owner = ofSource;
    // A failure may pass; the next call tries again.
    made.catch(() => owner.delete(key));
    return made;
  }
}
