import {checkInteger, checkKnownOptions, InvalidParameterError} from '@epsball/clustering';
import type {Gpu} from '@epsball/gpu';
import type {GraphIndex} from '@epsball/neighbor-graph';

/** Default maximum of the bytes of edges, if the device allows as much in one binding. */
const DEFAULT_EDGE_BYTES = 2 ** 31 - 4;

export interface GdbscanGpuOptions {
  /**
   * How neighbours are found: `grid`, up to 4 dimensions; `none`, all pairs, as in the paper; `auto` (default), the
   * grid up to 4 dimensions.
   */
  readonly index?: GraphIndex | undefined;
  /** `one` search after another, as in the paper, or `many` at a time (default). */
  readonly searches?: 'one' | 'many' | undefined;
  /**
   * Maximum bytes of edges on the device at a time, integer ≥ 4. A larger graph comes in chunks. Default: what the
   * device binds, at most 2 GiB.
   */
  readonly edgeBytes?: number | undefined;
}

/** All options with defaults filled in. */
export type ChosenOptions = Required<{
  readonly [name in keyof GdbscanGpuOptions]: NonNullable<GdbscanGpuOptions[name]>;
}>;

/** @throws InvalidParameterError  if an option is invalid */
export function checkOptions(gpu: Gpu, options: GdbscanGpuOptions): ChosenOptions {
  checkKnownOptions(options, ['index', 'searches', 'edgeBytes'], 'options', "an object such as {index: 'grid'}");
  const {maxStorageBufferBindingSize, maxBufferSize} = gpu.device.limits;
  const most = Math.min(maxStorageBufferBindingSize, maxBufferSize, DEFAULT_EDGE_BYTES);
  const {index = 'auto', searches = 'many', edgeBytes = most} = options;
  checkWord('index', index, ['auto', 'grid', 'none']);
  checkWord('searches', searches, ['one', 'many']);
  checkInteger('edgeBytes', edgeBytes, 4);
  return {index, searches, edgeBytes: Math.min(edgeBytes, most)};
}

function checkWord(name: string, value: string, allowed: readonly string[]): void {
  if (!allowed.includes(value)) throw new InvalidParameterError(name, value, allowed.join(' or '));
}
