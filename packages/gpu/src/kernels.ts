import type {Gpu} from './gpu.ts';
import {Kernel} from './kernel.ts';
import type {EntryPoint, KernelSource, Overrides} from './kernelSource.ts';
import {keyOf} from './pipelineCache.ts';

/**
 * Kernels that an owner uses in every run. Each is created once and kept with its bind groups. A kernel that is created
 * in every run loses its bind groups if garbage is collected between two runs, and a bind group costs the host about 20
 * µs.
 */
export class Kernels {
  readonly #gpu: Gpu;
  readonly #made = new Map<KernelSource, Map<string, Promise<Kernel>>>();

  constructor(gpu: Gpu) {
    this.#gpu = gpu;
  }

  /** Same as `Kernel.create`. */
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
    // A failure may be temporary, so the next call tries again.
    made.catch(() => owner.delete(key));
    return made;
  }
}
