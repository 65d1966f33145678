import {Kernel, type Bindable, type Gpu} from '@epsball/gpu';
import {writeCounted, atMostOf, type Count} from './count.ts';
import {Primitive, type EncodeTarget} from './primitive.ts';
import {runBoundsWgsl} from './runBounds.wgsl.ts';

export interface RunBoundsBuffers {
  /** `count` u32 keys, ascending; not modified. */
  readonly keys: Bindable;
  /** By key: receives the first position of its run; entries of absent keys keep their word. */
  readonly starts: Bindable;
  /** By key: receives the position after the last of its run; entries of absent keys keep their word. */
  readonly ends: Bindable;
  readonly count: Count;
  /** Words of `starts` and of `ends`; keys ≥ `keyCount` are ignored. */
  readonly keyCount: number;
}

/** Finds the run of each key in a sorted list, without atomics: for example cell extents (Milanesi, §3.4). */
export class RunBounds extends Primitive<Kernel<typeof runBoundsWgsl, 'writeRunBounds'>> {
  static async create(gpu: Gpu): Promise<RunBounds> {
    return new RunBounds(gpu, 'runBounds', await Kernel.create(gpu, runBoundsWgsl, 'writeRunBounds'));
  }

  /** Records one dispatch. Throws for an invalid count, stride, buffer size or offset. */
  encode(target: EncodeTarget, {keys, starts, ends, count, keyCount}: RunBoundsBuffers): void {
    const atMost = atMostOf(count);
    if (atMost === 0) return;
    const buffers = {
      keys: this.bind('keys', keys, atMost),
      starts: this.bind('starts', starts, keyCount),
      ends: this.bind('ends', ends, keyCount),
      ...writeCounted(this.params, runBoundsWgsl.structs.RunParams, count, {keyCount}),
    };
    this.record(target, this.parts.encodeOver(buffers, atMost));
  }
}
