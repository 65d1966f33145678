import {InvalidParameterError} from '@epsball/clustering';
import type {Gpu} from '@epsball/gpu';
import type {GraphIndex} from '@epsball/neighbor-graph';
import type {Frontier, Searches} from './graphSearch.ts';

/** Edges take at most so many bytes unless asked for otherwise, where the device allows as much in one binding. */
const DEFAULT_EDGE_BYTES = 2 ** 31 - 4;

export interface GdbscanGpuOptions {
  /** What finds neighbours: `grid`, up to 4 dimensions; `none`, all pairs, as the paper has it; `auto` (the default). */
  readonly index?: GraphIndex | undefined;
  /** How the frontier is kept: `flags`, one a point, as the paper has it (the default), or `queue`. */
  readonly frontier?: Frontier | undefined;
  /** `one` search after another, as the paper has it, or `many` at a time (the default). */
  readonly searches?: Searches | undefined;
  /**
   * Most bytes of edges on the device at a time, integer ≥ 4; the graph comes in chunks where it has more. Default: what
   * the device binds, at most 2 GiB.
   */
  readonly edgeBytes?: number | undefined;
}

/** All options, with their defaults. */
export type ChosenOptions = Required<{
  readonly [name in keyof GdbscanGpuOptions]: NonNullable<GdbscanGpuOptions[name]>;
}>;

/** @throws InvalidParameterError  if an option is none */
export function checkOptions(gpu: Gpu, options: GdbscanGpuOptions): ChosenOptions {
  const {maxStorageBufferBindingSize, maxBufferSize} = gpu.device.limits;
  const most = Math.min(maxStorageBufferBindingSize, maxBufferSize, DEFAULT_EDGE_BYTES);
  const {index = 'auto', frontier = 'flags', searches = 'many', edgeBytes = most} = options;
  checkWord('index', index, ['auto', 'grid', 'none']);
  checkWord('frontier', frontier, ['flags', 'queue']);
  checkWord('searches', searches, ['one', 'many']);
  if (!Number.isInteger(edgeBytes) || edgeBytes < 4) {
    throw new InvalidParameterError('edgeBytes', edgeBytes, 'an integer ≥ 4');
  }
  return {index, frontier, searches, edgeBytes: Math.min(edgeBytes, most)};
}

function checkWord(name: string, value: string, allowed: readonly string[]): void {
  if (!allowed.includes(value)) throw new InvalidParameterError(name, value, allowed.join(' or '));
}
