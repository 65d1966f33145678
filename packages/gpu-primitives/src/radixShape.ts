import type {Bindable, Gpu, Scratch} from '@epsball/gpu';
import type {Cooperation} from './tiles.ts';

export interface SubgroupSizes {
  readonly min: number;
  readonly max: number;
}

/** How a workgroup takes a tile. Larger tiles make longer runs of a digit, and spread the fixed cost. */
export interface TileShape {
  readonly width: number;
  readonly quads: number;
  readonly digitBits: number;
}

/** For GPUs with subgroups and enough workgroup memory for a tile of 4608 words and its counters. */
const LARGE: TileShape = {width: 384, quads: 3, digitBits: 8};
const LARGE_BYTES = 20_736;
/** Fits in the 16 KiB of workgroup memory that every device has. */
const SMALL: TileShape = {width: 256, quads: 2, digitBits: 8};
/** Software adapters take one to two seconds to compile each row of keys. */
const IN_SOFTWARE: TileShape = {width: 256, quads: 1, digitBits: 8};
/** With smaller subgroups, fewer than 8 bits per digit fit, and the sort does not use them by default. */
export const WIDE_ENOUGH = 16;
/** Lanes per team without subgroups, as in radixScatterBarriers.wgsl. */
const BARRIER_TEAM = 32;

/** The adapter's subgroup sizes, or null if the kernels cannot use its subgroups. */
export function subgroupSizesOf(gpu: Gpu): SubgroupSizes | null {
  const {subgroupMinSize: min, subgroupMaxSize: max} = gpu.info;
  return gpu.device.features.has('subgroups') && min >= 4 && max <= 128 ? {min, max} : null;
}

/** The largest tile for the device, with subgroups of these sizes or, for null, with barriers. */
export function tileShapeFor(gpu: Gpu, sizes: SubgroupSizes | null): TileShape {
  const {maxComputeInvocationsPerWorkgroup, maxComputeWorkgroupStorageSize} = gpu.device.limits;
  const shape = ((): TileShape => {
    if (gpu.speed === 'software') return IN_SOFTWARE;
    const isWide = sizes !== null && sizes.min >= WIDE_ENOUGH && maxComputeInvocationsPerWorkgroup >= LARGE.width;
    return isWide && maxComputeWorkgroupStorageSize >= LARGE_BYTES ? LARGE : SMALL;
  })();
  if (!sizes) return shape;
  // Small subgroups need more counters. A small tile has room for 2048 words of two counters each.
  return {...shape, digitBits: Math.min(shape.digitBits, 4 + Math.floor(Math.log2(sizes.min)))};
}

/** Pipeline constants of the scatter kernels, derived from the shape. */
export function scatterOverrides(
  {width, quads, digitBits}: TileShape,
  sizes: SubgroupSizes | null,
): {WIDTH: number; QUADS: number; DIGIT_BITS: number; STAGED: number; COUNTERS_PER_WORD: number} {
  const teams = width / (sizes?.min ?? BARRIER_TEAM);
  const digits = 2 ** digitBits;
  const tileWords = 4 * quads * width;
  // Two counters share a word, except where whole words fit in the memory that the tile needs later. With barriers a
  // team has one mask per digit as well.
  const maskWords = sizes ? 0 : teams * digits;
  const isRoomy = maskWords + teams * digits <= tileWords;
  const STAGED = Math.max(tileWords, maskWords + (teams * digits) / 2);
  return {WIDTH: width, QUADS: quads, DIGIT_BITS: digitBits, STAGED, COUNTERS_PER_WORD: isRoomy ? 1 : 2};
}

/** Pipeline constants of ranking through subgroups. */
export function subgroupOverrides(
  {width, digitBits}: TileShape,
  {min, max}: SubgroupSizes,
): {TEAMS: number; DIGIT_TEAMS: number; IS_WIDE: boolean} {
  return {TEAMS: width / min, DIGIT_TEAMS: Math.ceil(2 ** digitBits / min), IS_WIDE: max > 32};
}

/** Maximum number of chunks: one workgroup scans this many counts of a digit in one round. */
const MAX_CHUNKS = 4096;
/** From so many chunks on, chunks grow up to a limit; a large GPU has work for more workgroups than that. */
const ENOUGH_CHUNKS = 1024;
const LONG_CHUNK = 32;

/** How an input is divided: into tiles, and tiles into chunks of neighbours, which one workgroup counts. */
export interface TileLayout {
  readonly tiles: number;
  readonly tileLength: number;
  readonly chunkTiles: number;
  readonly chunks: number;
  /** Words from one digit's row of chunk counts to the next, a multiple of four: kernels read quads. */
  readonly pitch: number;
}

export interface ScratchWords {
  readonly tileCounts: number;
  readonly chunkCounts: number;
  readonly chunkStarts: number;
}

/** @param tiles  at least 1 */
export function layoutOf(tiles: number, tileLength: number, chunkTiles: number = chunkTilesFor(tiles)): TileLayout {
  const chunks = Math.ceil(tiles / chunkTiles);
  return {tiles, tileLength, chunkTiles, chunks, pitch: 4 * Math.ceil(chunks / 4)};
}

function chunkTilesFor(tiles: number): number {
  return Math.max(Math.min(Math.ceil(tiles / ENOUGH_CHUNKS), LONG_CHUNK), Math.ceil(tiles / MAX_CHUNKS));
}

/** Scratch for up to `tiles` tiles. Chunks grow with the number of tiles, so fewer tiles may need more chunks. */
export function scratchFor(tiles: number, digits: number): ScratchWords {
  const chunks = Math.min(tiles, MAX_CHUNKS);
  return {tileCounts: digits * tiles, chunkCounts: digits * 4 * Math.ceil(chunks / 4), chunkStarts: digits * chunks};
}

interface PassBuffers extends ScratchBuffers {
  readonly keys: Bindable;
  /** `keys` as quads of four words. */
  readonly keyQuads: Bindable;
  readonly values: Bindable;
  readonly sortedKeys: Bindable;
  readonly sortedValues: Bindable;
  readonly params: Bindable;
  readonly deviceCount: Bindable;
}

export interface RadixPasses {
  readonly cooperation: Cooperation;
  readonly digitBits: number;
  /** How `count` keys are divided into tiles and chunks. Default of `chunkTiles`: by count. */
  layoutOf(count: number, chunkTiles?: number): TileLayout;
  scratchFor(count: number): ScratchWords;
  record(pass: GPUComputePassEncoder, buffers: PassBuffers, layout: TileLayout, isFirst: boolean): void;
}

interface ScratchBuffers {
  readonly tileCounts: GPUBuffer;
  readonly chunkCounts: GPUBuffer;
  /** `chunkCounts` as quads of four words. */
  readonly countQuads: GPUBuffer;
  readonly chunkStarts: GPUBuffer;
  readonly digitTotals: GPUBuffer;
}

export function takeScratch(scratch: Scratch, passes: RadixPasses, count: number): ScratchBuffers {
  const words = passes.scratchFor(count);
  const chunkCounts = scratch.take('chunkCounts', 4 * words.chunkCounts);
  return {
    tileCounts: scratch.take('tileCounts', 4 * words.tileCounts),
    chunkCounts,
    countQuads: chunkCounts,
    chunkStarts: scratch.take('chunkStarts', 4 * words.chunkStarts),
    digitTotals: scratch.take('digitTotals', 4 * 2 ** passes.digitBits),
  };
}
