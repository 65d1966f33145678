import type {Bindable} from '@epsball/gpu';
import type {Cooperation} from './cooperation.ts';
import type {ScratchWords, TileLayout} from './radixShape.ts';

/** What the kernels of a pass bind, by name; buffers that are large enough. */
interface PassBuffers {
  readonly keys: Bindable;
  /** The same, four words at a time. */
  readonly keyQuads: Bindable;
  readonly values: Bindable;
  readonly sortedKeys: Bindable;
  readonly sortedValues: Bindable;
  readonly tileCounts: Bindable;
  readonly chunkCounts: Bindable;
  /** The same, four words at a time. */
  readonly countQuads: Bindable;
  readonly chunkStarts: Bindable;
  readonly digitTotals: Bindable;
  readonly params: Bindable;
  readonly deviceCount: Bindable;
}

/** The kernels of one kind of sort: three dispatches a pass. */
export interface RadixPasses {
  readonly cooperation: Cooperation;
  /** Bits of a digit at most. */
  readonly digitBits: number;
  /** How so many keys are cut; with so many tiles in a chunk, if that is given. */
  layoutOf(count: number, chunkTiles?: number): TileLayout;
  /** For so many keys or fewer. */
  scratchFor(count: number): ScratchWords;
  record(pass: GPUComputePassEncoder, buffers: PassBuffers, layout: TileLayout, isFirst: boolean): void;
}
