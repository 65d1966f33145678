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

/** On GPUs with subgroups, and with room for a tile of 4096 words and its counters. */
const LARGE: TileShape = {width: 512, quads: 2, digitBits: 8};
const LARGE_BYTES = 20_480;
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
  // The more subgroups, the more counters: no more than 2048 words of two each.
  return {...shape, digitBits: Math.min(shape.digitBits, 4 + Math.floor(Math.log2(sizes.min)))};
}

/** Pipeline constants of the scatter kernels that follow from the shape. */
export function scatterOverrides(
  {width, quads, digitBits}: TileShape,
  sizes: SubgroupSizes | null,
): {WIDTH: number; QUADS: number; DIGIT_BITS: number; STAGED: number} {
  const teams = width / (sizes?.min ?? BARRIER_TEAM);
  const counterWords = teams * 2 ** (digitBits - 1);
  // With barriers a team has a mask a digit as well.
  const maskWords = sizes ? 0 : teams * 2 ** digitBits;
  return {
    WIDTH: width,
    QUADS: quads,
    DIGIT_BITS: digitBits,
    STAGED: Math.max(4 * quads * width, counterWords + maskWords),
  };
}

/** Words of a digit's counts: they are read four at a time. */
export function pitchOf(tiles: number): number {
  return 4 * Math.ceil(tiles / 4);
}
