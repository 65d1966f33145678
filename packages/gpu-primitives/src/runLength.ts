import {checkKnownOptions} from '@epsball/clustering';
import type {Bindable, Gpu} from '@epsball/gpu';
import type {Teamwork} from './tiles.ts';
import type {Count} from './count.ts';
import type {EncodeTarget} from './primitive.ts';
import {compileRuns, runKeyArray, RunWriter, type RunKey, type RunKeyArrays} from './runs.ts';

export interface RunLengthOptions<K extends RunKey = RunKey> {
  /** Default: `u32`. */
  readonly key?: K;
  /** How invocations cooperate. Default: `none` on a CPU, else `workgroups`. */
  readonly cooperation?: Teamwork;
}

export interface RunLengthBuffers {
  /** `count` keys, compared by their bits; not modified. */
  readonly keys: Bindable;
  /** Receives the key of every run, in order; room for `count` keys. Optional. */
  readonly uniqueKeys?: Bindable;
  /** Receives the position of every run's first key; room for `count` words. Optional. */
  readonly starts?: Bindable;
  /** Receives the number of keys of every run; room for `count` words. Optional. */
  readonly lengths?: Bindable;
  /** Receives one word: the number of runs. Serves as a `DeviceCount`. Outputs may not overlap keys or each other. */
  readonly runCount: Bindable;
  readonly count: Count;
}

/** Result of `run`: one element per run. */
export interface Runs<K extends RunKey = 'u32'> {
  readonly uniqueKeys: RunKeyArrays[K];
  readonly starts: Uint32Array;
  readonly lengths: Uint32Array;
}

/**
 * Finds the runs of equal neighbouring keys: keys, starts, lengths, and number of runs. Sorted keys have one run each;
 * others may have several.
 *
 * @source  Merrill and Garland 2016, §2 (reduce-then-scan: no workgroup waits for another)
 */
export class RunLength<K extends RunKey = 'u32'> extends RunWriter<K> {
  /** Compiles the pipelines; they serve every count. */
  static create<K extends RunKey = 'u32'>(gpu: Gpu, options?: RunLengthOptions<K>): Promise<RunLength<K>>;
  static async create(gpu: Gpu, options: RunLengthOptions = {}): Promise<RunLength<RunKey>> {
    checkKnownOptions(options, ['key', 'cooperation'], 'options', "an object such as {key: 'u64'}");
    const {key = 'u32', cooperation} = options;
    return new RunLength<RunKey>(gpu, 'runLength', ...(await compileRuns(gpu, key, cooperation, {IS_LENGTH: true})));
  }

  /** Records two dispatches: O(count) work, O(1) scratch. Throws for an invalid count, buffer size or offset. */
  encode(target: EncodeTarget, {lengths, ...buffers}: RunLengthBuffers): void {
    this.encodeRuns(target, 'lengths', {...buffers, totals: lengths});
  }

  /** Finds the runs of a typed array: upload, search, read-back. */
  async run(keys: RunKeyArrays[K]): Promise<Runs<K>> {
    return this.call(async ({upload, room, submit, read}) => {
      const count = keys.length;
      const input = await upload(keys);
      const [uniqueKeys, starts, lengths, runCount] = [room(keys.byteLength / 4), room(count), room(count), room(1)];
      submit((pass) => this.encode(pass, {keys: input, uniqueKeys, starts, lengths, runCount, count}));
      const [runs] = await read(runCount, new Uint32Array(1));
      return {
        uniqueKeys: await read(uniqueKeys, runKeyArray(this.parts.key, runs)),
        starts: await read(starts, new Uint32Array(runs)),
        lengths: await read(lengths, new Uint32Array(runs)),
      };
    });
  }
}
