import {foldDispatch, Kernel, type Gpu} from '@epsball/gpu';
import {radixAloneWgsl} from './radixAlone.wgsl.ts';
import {radixCountWgsl} from './radixCount.wgsl.ts';
import {radixScatterBarriersWgsl} from './radixScatterBarriers.wgsl.ts';
import {radixScatterSubgroupsWgsl} from './radixScatterSubgroups.wgsl.ts';
import {sortsCorrectly} from './radixSelfCheck.ts';
import {
  layoutOf,
  scatterOverrides,
  scratchFor,
  subgroupOverrides,
  subgroupSizesOf,
  tileShapeFor,
  WIDE_ENOUGH,
  type RadixPasses,
  type SubgroupSizes,
  type TileShape,
} from './radixShape.ts';
import {worksBestAlone, type Cooperation, sharingOn} from './tiles.ts';

/** Up to this many chunks, one invocation per digit scans the counts; beyond, one workgroup per digit is faster. */
const FEW_CHUNKS = 24;

/** Bits per digit where each invocation works alone; the default of the override DIGIT_BITS. */
const LONE_DIGIT_BITS = 8;

export interface PassOverrides {
  readonly KEY_ELEMENT: number;
  readonly KEY_WORDS: number;
  /** What moves along with keys in the first pass and in later ones: the override VALUES of radixScatter.wgsl. */
  readonly firstValues: number;
  readonly values: number;
}

/** Results of the self-check of the subgroup kernels, by device and kind of sort. */
const selfChecks = new WeakMap<Gpu, Map<string, Promise<boolean>>>();

/** Kernels for an option, or by adapter; `workgroups` if the subgroup kernels fail their self-check. */
export async function compilePasses(
  gpu: Gpu,
  overrides: PassOverrides,
  cooperation: Cooperation = bestCooperation(gpu),
): Promise<RadixPasses> {
  if (cooperation === 'none') return compileLonePasses(gpu, overrides);
  const sizes = cooperation === 'subgroups' ? subgroupSizesOf(gpu) : null;
  if (sizes) {
    const passes = await compileTeamPasses(gpu, overrides, sizes);
    if (await passesSelfCheck(gpu, passes, overrides)) return passes;
  }
  return compileTeamPasses(gpu, overrides, null);
}

function passesSelfCheck(gpu: Gpu, passes: RadixPasses, overrides: PassOverrides): Promise<boolean> {
  const ofDevice = selfChecks.get(gpu) ?? new Map<string, Promise<boolean>>();
  selfChecks.set(gpu, ofDevice);
  const key = JSON.stringify(overrides);
  const selfCheck = ofDevice.get(key) ?? sortsCorrectly(gpu, passes, overrides.KEY_WORDS);
  ofDevice.set(key, selfCheck);
  // A device failure may be temporary; the next call tries again.
  selfCheck.catch(() => ofDevice.delete(key));
  return selfCheck;
}

function bestCooperation(gpu: Gpu): Cooperation {
  if (worksBestAlone(gpu)) return 'none';
  return (subgroupSizesOf(gpu)?.min ?? 0) >= WIDE_ENOUGH ? 'subgroups' : 'workgroups';
}

/** Kernels of workgroups, with subgroups if `sizes` is not null. Exported for tests of other shapes. */
export async function compileTeamPasses(
  gpu: Gpu,
  {firstValues, values, ...keyed}: PassOverrides,
  sizes: SubgroupSizes | null,
  shape: TileShape = tileShapeFor(gpu, sizes),
): Promise<RadixPasses> {
  const {width, quads, digitBits} = shape;
  const scattering = {...keyed, ...scatterOverrides(shape, sizes)};
  const compileScatter = (VALUES: number): Promise<ScatterKernel> => {
    if (!sizes) return Kernel.create(gpu, radixScatterBarriersWgsl, 'scatterTiles', {...scattering, VALUES});
    const teams = subgroupOverrides(shape, sizes);
    return Kernel.create(gpu, radixScatterSubgroupsWgsl, 'scatterTiles', {...scattering, ...teams, VALUES});
  };
  const counting = {...keyed, WIDTH: width, QUADS: quads, DIGIT_BITS: digitBits};
  const [{countDigits, scanDigits, scanFewDigits}, scatterFirst, scatterNext] = await Promise.all([
    Kernel.createEach(gpu, radixCountWgsl, ['countDigits', 'scanDigits', 'scanFewDigits'], counting),
    compileScatter(firstValues),
    compileScatter(values),
  ]);
  const tileLength = 4 * width * quads;
  const tilesOf = (count: number): number => Math.max(1, Math.ceil(count / tileLength));
  return {
    cooperation: sizes ? 'subgroups' : 'workgroups',
    digitBits,
    layoutOf: (count, chunkTiles) => layoutOf(tilesOf(count), tileLength, chunkTiles),
    scratchFor: (count) => scratchFor(tilesOf(count), 2 ** digitBits),
    record(pass, buffers, {tiles, chunks}, isFirst) {
      const scatter = isFirst ? scatterFirst : scatterNext;
      countDigits.dispatch(pass, countDigits.bind(buffers), foldDispatch(chunks));
      if (chunks <= FEW_CHUNKS) scanFewDigits.dispatch(pass, scanFewDigits.bind(buffers), [1, 1, 1]);
      else scanDigits.dispatch(pass, scanDigits.bind(buffers), [2 ** digitBits, 1, 1]);
      scatter.dispatch(pass, scatter.bind(buffers), foldDispatch(tiles));
    },
  };
}

type ScatterKernel =
  | Kernel<typeof radixScatterSubgroupsWgsl, 'scatterTiles'>
  | Kernel<typeof radixScatterBarriersWgsl, 'scatterTiles'>;

async function compileLonePasses(gpu: Gpu, {firstValues, values, ...keyed}: PassOverrides): Promise<RadixPasses> {
  const [count, place, scatterFirst, scatterNext] = await Promise.all([
    Kernel.create(gpu, radixAloneWgsl, 'countAlone', keyed),
    Kernel.create(gpu, radixAloneWgsl, 'placeAlone'),
    Kernel.create(gpu, radixAloneWgsl, 'scatterAlone', {...keyed, VALUES: firstValues}),
    Kernel.create(gpu, radixAloneWgsl, 'scatterAlone', {...keyed, VALUES: values}),
  ]);
  const sharing = sharingOn(gpu, 0, 'none');
  return {
    cooperation: 'none',
    digitBits: LONE_DIGIT_BITS,
    layoutOf(keys) {
      const {groups, groupLength} = sharing.sharesOf(keys);
      return layoutOf(groups, groupLength);
    },
    // Shares are whole tiles, so a smaller count may have more shares.
    scratchFor: () => ({tileCounts: 2 ** LONE_DIGIT_BITS * sharing.maxGroups, chunkCounts: 0, chunkStarts: 0}),
    record(pass, buffers, {tiles}, isFirst) {
      const scatter = isFirst ? scatterFirst : scatterNext;
      const counts = sharing.dispatchFor(tiles);
      count.dispatch(pass, count.bind(buffers), counts);
      place.dispatch(pass, place.bind(buffers), [1, 1, 1]);
      scatter.dispatch(pass, scatter.bind(buffers), counts);
    },
  };
}
