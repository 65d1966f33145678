import type {Bindable} from '@epsball/gpu';
import type {Cooperation} from './cooperation.ts';
import type {ScratchWords, TileLayout} from './radixShape.ts';

/** Bindings for the kernels of a pass, by name; the buffers are large enough. */
interface PassBuffers {
  readonly keys: Bindable;
  /** `keys` as quads of four words. */
  readonly keyQuads: Bindable;
  readonly values: Bindable;
  readonly sortedKeys: Bindable;
  readonly sortedValues: Bindable;
  readonly tileCounts: Bindable;
  readonly chunkCounts: Bindable;
  /** `chunkCounts` as quads of four words. */
  readonly countQuads: Bindable;
  readonly chunkStarts: Bindable;
  readonly digitTotals: Bindable;
  readonly params: Bindable;
  readonly deviceCount: Bindable;
}

/** The kernels of one kind of sort: three dispatches per pass. */
export interface RadixPasses {
  readonly cooperation: Cooperation;
  /** Maximum bits per digit. */
  readonly digitBits: number;
  /** How `count` keys are divided into tiles and chunks. Default of `chunkTiles`: by count. */
  layoutOf(count: number, chunkTiles?: number): TileLayout;
  /** Scratch for up to `count` keys. */
  scratchFor(count: number): ScratchWords;
  record(pass: GPUComputePassEncoder, buffers: PassBuffers, layout: TileLayout, isFirst: boolean): void;
}
