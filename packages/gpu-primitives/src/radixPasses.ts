import {foldDispatch, Kernel, type Bindable, type Gpu} from '@epsball/gpu';
import {worksBestAlone, type Cooperation} from './cooperation.ts';
import {radixAloneWgsl} from './radixAlone.wgsl.ts';
import {radixCountWgsl} from './radixCount.wgsl.ts';
import {radixScatterBarriersWgsl} from './radixScatterBarriers.wgsl.ts';
import {radixScatterSubgroupsWgsl} from './radixScatterSubgroups.wgsl.ts';
import {scatterOverrides, suitsSubgroups, tileShapeFor} from './radixShape.ts';
import {checkSubgroups, type SubgroupSizes} from './subgroups.ts';
import {loneSharing} from './tiles.ts';

/** With no more tiles one invocation scans a digit's counts; a workgroup a digit does not pay. */
const FEW_TILES = 24;

/** Pipeline constants of a kind of sort. */
export interface PassOverrides {
  readonly KEY_ELEMENT: number;
  readonly KEY_WORDS: number;
  /** What the first pass moves, and the others: the override VALUES of radixScatter.wgsl. */
  readonly firstValues: number;
  readonly values: number;
}

/** What the kernels of a pass bind, by name; buffers that are large enough. */
export interface PassBuffers {
  readonly keys: Bindable;
  readonly values: Bindable;
  readonly sortedKeys: Bindable;
  readonly sortedValues: Bindable;
  readonly tileCounts: Bindable;
  readonly digitTotals: Bindable;
  readonly params: Bindable;
  readonly deviceCount: Bindable;
}

/** The kernels of one kind of sort: three dispatches a pass. */
export interface RadixPasses {
  readonly cooperation: Cooperation;
  /** Bits of a digit at most. */
  readonly digitBits: number;
  /** Into how many tiles so many keys are cut, and the keys of each. */
  tilesOf(count: number): {readonly tiles: number; readonly tileLength: number};
  /** Tiles of so many keys or fewer at most. */
  mostTiles(count: number): number;
  record(
    pass: GPUComputePassEncoder,
    buffers: PassBuffers,
    how: {readonly tiles: number; readonly isFirst: boolean},
  ): void;
}

/** Compiles them for a wish, or as suits the adapter. Without subgroups that work, workgroups serve. */
export async function compilePasses(
  gpu: Gpu,
  overrides: PassOverrides,
  cooperation: Cooperation = bestCooperation(gpu),
): Promise<RadixPasses> {
  if (cooperation === 'none') return compileLonePasses(gpu, overrides);
  return compileTeamPasses(gpu, overrides, cooperation === 'subgroups' ? await checkSubgroups(gpu) : null);
}

function bestCooperation(gpu: Gpu): Cooperation {
  if (worksBestAlone(gpu)) return 'none';
  return suitsSubgroups(gpu) ? 'subgroups' : 'workgroups';
}

async function compileTeamPasses(
  gpu: Gpu,
  {firstValues, values, ...keyed}: PassOverrides,
  sizes: SubgroupSizes | null,
): Promise<RadixPasses> {
  const shape = tileShapeFor(gpu, sizes);
  const {width, quads, digitBits} = shape;
  const scattering = {...keyed, ...scatterOverrides(shape, sizes)};
  const compileScatter = (VALUES: number): Promise<ScatterKernel> => {
    if (!sizes) return Kernel.create(gpu, radixScatterBarriersWgsl, 'scatterTiles', {...scattering, VALUES});
    const teams = {TEAMS: width / sizes.min, IS_WIDE: sizes.max > 32};
    return Kernel.create(gpu, radixScatterSubgroupsWgsl, 'scatterTiles', {...scattering, ...teams, VALUES});
  };
  const counting = {...keyed, WIDTH: width, QUADS: quads, DIGIT_BITS: digitBits};
  const [countDigits, scanDigits, scanFewDigits, scatterFirst, scatterNext] = await Promise.all([
    Kernel.create(gpu, radixCountWgsl, 'countDigits', counting),
    Kernel.create(gpu, radixCountWgsl, 'scanDigits'),
    Kernel.create(gpu, radixCountWgsl, 'scanFewDigits', {DIGIT_BITS: digitBits}),
    compileScatter(firstValues),
    compileScatter(values),
  ]);
  const tileLength = 4 * width * quads;
  const mostTiles = (count: number): number => Math.max(1, Math.ceil(count / tileLength));
  return {
    cooperation: sizes ? 'subgroups' : 'workgroups',
    digitBits,
    tilesOf: (count) => ({tiles: mostTiles(count), tileLength}),
    mostTiles,
    record(pass, buffers, {tiles, isFirst}) {
      const scatter = isFirst ? scatterFirst : scatterNext;
      countDigits.dispatch(pass, countDigits.bind(buffers), foldDispatch(tiles));
      if (tiles <= FEW_TILES) scanFewDigits.dispatch(pass, scanFewDigits.bind(buffers), [1, 1, 1]);
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
  const sharing = loneSharing();
  return {
    cooperation: 'none',
    digitBits: 8,
    tilesOf(keys) {
      const {groups, groupLength} = sharing.sharesOf(keys);
      return {tiles: groups, tileLength: groupLength};
    },
    // Shares are whole tiles, so a larger count may have fewer of them.
    mostTiles: () => sharing.maxGroups,
    record(pass, buffers, {tiles, isFirst}) {
      const scatter = isFirst ? scatterFirst : scatterNext;
      const counts = sharing.dispatchFor(tiles);
      count.dispatch(pass, count.bind(buffers), counts);
      place.dispatch(pass, place.bind(buffers), [1, 1, 1]);
      scatter.dispatch(pass, scatter.bind(buffers), counts);
    },
  };
}
