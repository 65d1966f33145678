import {InvalidParameterError} from '@epsball/clustering';
import type {Gpu} from '@epsball/gpu';
import {checkSubgroups, type SubgroupSizes} from './subgroups.ts';

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
/** Lavapipe compiles every row of keys for a second or two. */
const ON_LAVAPIPE: TileShape = {width: 256, quads: 1, digitBits: 8};
/** Smaller subgroups leave room for fewer than 8 bits a digit. */
const WIDE_ENOUGH = 16;
/** Lanes that rank together where there are no subgroups, as radixScatterBarriers.wgsl has it. */
const BARRIER_TEAM = 32;

/** One pass: a digit of `bits` bits from bit `shift` of word `word` on. */
export interface Digit {
  readonly word: number;
  readonly shift: number;
  readonly bits: number;
}

/** The subgroups that a sort ranks with, or null where it takes barriers. */
export async function subgroupsFor(gpu: Gpu, useSubgroups: boolean | undefined): Promise<SubgroupSizes | null> {
  if (useSubgroups === false) return null;
  if (useSubgroups === undefined && gpu.info.subgroupMinSize < WIDE_ENOUGH) return null;
  return checkSubgroups(gpu);
}

/** The largest tile that suits the device. */
export function tileShapeFor(gpu: Gpu, sizes: SubgroupSizes | null): TileShape {
  const {maxComputeInvocationsPerWorkgroup, maxComputeWorkgroupStorageSize} = gpu.device.limits;
  const shape = ((): TileShape => {
    if (gpu.info.kind === 'system-software') return ON_LAVAPIPE;
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

/**
 * The passes for a range of bits: as few as can be, and as even.
 *
 * @throws InvalidParameterError  if the range is none of the key's
 */
export function digitsOfRange(
  {beginBit = 0, endBit}: {readonly beginBit?: number; readonly endBit?: number},
  {key, values, digitBits}: {readonly key: string; readonly values: string; readonly digitBits: number},
): Digit[] {
  const keyBits = key === 'u64' ? 64 : 32;
  const end = endBit ?? keyBits;
  if (!Number.isInteger(end) || end < 0 || end > keyBits) {
    throw new InvalidParameterError('endBit', end, `an integer, 0 … ${keyBits}`);
  }
  if (!Number.isInteger(beginBit) || beginBit < 0 || beginBit > end) {
    throw new InvalidParameterError('beginBit', beginBit, `an integer, 0 … endBit = ${end}`);
  }
  const digits = [0, 1].flatMap((word) =>
    digitsOfWord(word, Math.max(beginBit, 32 * word), Math.min(end, 32 * word + 32), digitBits),
  );
  // Positions are written by the first pass, also where no bit counts.
  if (digits.length === 0 && values === 'index') return [{word: 0, shift: 0, bits: 0}];
  return digits;
}

function digitsOfWord(word: number, begin: number, end: number, digitBits: number): Digit[] {
  const digits: Digit[] = [];
  let passes = Math.ceil((end - begin) / digitBits);
  for (let at = begin; at < end; passes--) {
    const bits = Math.ceil((end - at) / passes);
    digits.push({word, shift: at - 32 * word, bits});
    at += bits;
  }
  return digits;
}
