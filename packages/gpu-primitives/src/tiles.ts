import {foldDispatch, type BufferSlice, type Gpu, type WorkgroupCounts} from '@epsball/gpu';

/** How invocations cooperate: `subgroups`; `workgroups`, with barriers; `none`, one invocation per share. */
export type Cooperation = 'subgroups' | 'workgroups' | 'none';

export type Teamwork = Exclude<Cooperation, 'subgroups'>;

/** Whether the adapter is a CPU. SwiftShader runs a kernel with a barrier 30 times slower than one without. */
export function worksBestAlone(gpu: Gpu): boolean {
  return gpu.speed === 'software';
}

const WIDTH = 256;
/** Odd, to avoid bank conflicts. Software adapters unroll the rows: 7 compile two to four times as long as 3. */
const ITEMS = 7;
const ITEMS_IN_SOFTWARE = 3;

/** Minimum elements per share where invocations work alone: a multiple of BLOCK in tiles.wgsl. */
const LONE_TILE = 64;
/** Maximum shares there: enough for the lanes of many cores, few enough for each share to read all results. */
const LONE_SHARES = 256;
/** Invocations per workgroup there, as in the kernels; cores take whole workgroups. */
const LONE_WIDTH = 16;

/** A share belongs to a workgroup or to one invocation. */
interface Shares {
  readonly groups: number;
  /** A multiple of the tile. */
  readonly groupLength: number;
}

export interface Sharing {
  /** Whether a share belongs to one invocation instead of a workgroup. */
  readonly isAlone: boolean;
  readonly ITEMS: number;
  /** Maximum number of shares, for any count. */
  readonly maxGroups: number;
  sharesOf(count: number): Shares;
  dispatchFor(groups: number): WorkgroupCounts;
}

/** @param maxTeams  most workgroups, if shares belong to workgroups */
export function sharingOn(gpu: Gpu, maxTeams: number, teamwork?: Teamwork): Sharing {
  const isAlone = (teamwork ?? (worksBestAlone(gpu) ? 'none' : 'workgroups')) === 'none';
  const items = gpu.pick({hardware: ITEMS, software: ITEMS_IN_SOFTWARE});
  const [tile, maxGroups, width] = isAlone ? [LONE_TILE, LONE_SHARES, LONE_WIDTH] : [WIDTH * items, maxTeams, 1];
  return {
    isAlone,
    ITEMS: items,
    maxGroups,
    sharesOf: (count) => sharesOf(count, tile, maxGroups),
    dispatchFor: (groups) => foldDispatch(Math.ceil(groups / width)),
  };
}

/** At most `maxGroups`, so that the scratch has a fixed size; at least one, even for an empty input. */
function sharesOf(count: number, tile: number, maxGroups: number): Shares {
  const tiles = Math.max(1, Math.ceil(count / tile));
  const tilesPerGroup = Math.ceil(tiles / maxGroups);
  return {groups: Math.ceil(tiles / tilesPerGroup), groupLength: tilesPerGroup * tile};
}

/** Workgroups of a reduction that fill a large GPU; one workgroup of the second dispatch takes their results. */
export const MAX_REDUCTION_GROUPS = 2048;
/** Minimum words per workgroup of a reduction; fewer cost less than its launch. */
const WORDS_PER_GROUP = 8192;

export function reductionGroups(count: number): number {
  return sharesOf(count, WORDS_PER_GROUP, MAX_REDUCTION_GROUPS).groups;
}

/** @param params  bound instead of an input smaller than one quad, which is not read as quads */
export function quadsOf(input: BufferSlice, params: BufferSlice): BufferSlice {
  return (input.size ?? 0) < 16 ? params : input;
}
