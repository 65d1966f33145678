import type {Gpu} from '@epsball/gpu';

/** Sizes that an adapter's subgroups may have. */
export interface SubgroupSizes {
  readonly min: number;
  readonly max: number;
}

/**
 * How a workgroup takes a tile: so many invocations, so many quads of keys each, so many bits of them. Larger tiles make
 * longer runs of a digit, and cost less of what is done once a tile.
 */
export interface TileShape {
  readonly width: number;
  readonly quads: number;
  readonly digitBits: number;
}

/** On GPUs with subgroups, and with room for a tile of 4608 words and what places it. */
const LARGE: TileShape = {width: 384, quads: 3, digitBits: 8};
const LARGE_BYTES = 20_736;
/** In the 16 KiB of workgroup memory that every device has. */
const SMALL: TileShape = {width: 256, quads: 2, digitBits: 8};
/** Software adapters compile every row of keys for a second or two. */
const IN_SOFTWARE: TileShape = {width: 256, quads: 1, digitBits: 8};
/** Smaller subgroups leave room for fewer than 8 bits a digit. */
const WIDE_ENOUGH = 16;
/** Lanes that rank together where there are no subgroups, as radixScatterBarriers.wgsl has it. */
const BARRIER_TEAM = 32;

/** Whether a sort through subgroups suits the adapter. */
export function suitsSubgroups(gpu: Gpu): boolean {
  return (subgroupSizesOf(gpu)?.min ?? 0) >= WIDE_ENOUGH;
}

/** As the adapter names them; null where it has none that the kernels can take. */
export function subgroupSizesOf(gpu: Gpu): SubgroupSizes | null {
  const {subgroupMinSize: min, subgroupMaxSize: max} = gpu.info;
  return gpu.device.features.has('subgroups') && min >= 4 && max <= 128 ? {min, max} : null;
}

/** The largest tile that suits the device, with subgroups of these sizes or with barriers. */
export function tileShapeFor(gpu: Gpu, sizes: SubgroupSizes | null): TileShape {
  const {maxComputeInvocationsPerWorkgroup, maxComputeWorkgroupStorageSize} = gpu.device.limits;
  const shape = ((): TileShape => {
    if (gpu.info.kind !== 'hardware') return IN_SOFTWARE;
    const isWide = sizes !== null && sizes.min >= WIDE_ENOUGH && maxComputeInvocationsPerWorkgroup >= LARGE.width;
    return isWide && maxComputeWorkgroupStorageSize >= LARGE_BYTES ? LARGE : SMALL;
  })();
  if (!sizes) return shape;
  // The more subgroups, the more counters: no more than 2048 words of two each, in a small tile.
  return {...shape, digitBits: Math.min(shape.digitBits, 4 + Math.floor(Math.log2(sizes.min)))};
}

/** Pipeline constants of the scatter kernels that follow from the shape. */
export function scatterOverrides(
  {width, quads, digitBits}: TileShape,
  sizes: SubgroupSizes | null,
): {WIDTH: number; QUADS: number; DIGIT_BITS: number; STAGED: number; COUNTERS_A_WORD: number} {
  const teams = width / (sizes?.min ?? BARRIER_TEAM);
  const digits = 2 ** digitBits;
  const tileWords = 4 * quads * width;
  // Two counters share a word, unless whole words take no more memory than the tile does later. With barriers a team has a mask
  // a digit as well.
  const maskWords = sizes ? 0 : teams * digits;
  const isRoomy = maskWords + teams * digits <= tileWords;
  const STAGED = Math.max(tileWords, maskWords + (teams * digits) / 2);
  return {WIDTH: width, QUADS: quads, DIGIT_BITS: digitBits, STAGED, COUNTERS_A_WORD: isRoomy ? 1 : 2};
}

/** Pipeline constants of ranking through subgroups. */
export function subgroupOverrides(
  {width, digitBits}: TileShape,
  {min, max}: SubgroupSizes,
): {TEAMS: number; DIGIT_TEAMS: number; IS_WIDE: boolean} {
  return {TEAMS: width / min, DIGIT_TEAMS: Math.ceil(2 ** digitBits / min), IS_WIDE: max > 32};
}

/** Chunks at most: a digit's counts of so many are scanned by one workgroup, in one go. */
const MAX_CHUNKS = 4096;
/** Chunks from which on they grow rather than their number, and how far: a large GPU has work for some more workgroups. */
const ENOUGH_CHUNKS = 1024;
const LONG_CHUNK = 32;

/** How an input is cut: into tiles, and these into chunks of neighbouring ones, which a workgroup counts. */
export interface TileLayout {
  readonly tiles: number;
  /** Keys. */
  readonly tileLength: number;
  /** Tiles. */
  readonly chunkTiles: number;
  readonly chunks: number;
  /** Words from one digit's counts of chunks to the next one's: they are read four at a time. */
  readonly pitch: number;
}

/** Words of scratch. */
export interface ScratchWords {
  readonly tileCounts: number;
  readonly chunkCounts: number;
  readonly chunkStarts: number;
}

/**
 * So many tiles, at least one, of so many keys in chunks.
 *
 * @param chunkTiles  tiles of a chunk; as suits a GPU unless given
 */
export function layoutOf(tiles: number, tileLength: number, chunkTiles: number = chunkTilesFor(tiles)): TileLayout {
  const chunks = Math.ceil(tiles / chunkTiles);
  return {tiles, tileLength, chunkTiles, chunks, pitch: 4 * Math.ceil(chunks / 4)};
}

function chunkTilesFor(tiles: number): number {
  return Math.max(Math.min(Math.ceil(tiles / ENOUGH_CHUNKS), LONG_CHUNK), Math.ceil(tiles / MAX_CHUNKS));
}

/** What up to so many tiles need. Chunks grow when there are more tiles, so fewer tiles may be in more of them. */
export function scratchFor(tiles: number, digits: number): ScratchWords {
  const chunks = Math.min(tiles, MAX_CHUNKS);
  return {tileCounts: digits * tiles, chunkCounts: digits * 4 * Math.ceil(chunks / 4), chunkStarts: digits * chunks};
}
