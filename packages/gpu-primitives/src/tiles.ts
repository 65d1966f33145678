import {foldDispatch, type Gpu, type WorkgroupCounts} from '@epsball/gpu';
import {worksBestAlone, type Teamwork} from './cooperation.ts';

/** Invocations of a workgroup of the kernels that work on tiles. */
const WIDTH = 256;
/**
 * Elements of an invocation in a tile. Odd, so that lanes which walk through their own in workgroup memory keep off each other's
 * banks. Software adapters unroll the rows: 7 of them take two to four times as long to compile as 3.
 */
const ITEMS = 7;
const ITEMS_IN_SOFTWARE = 3;

/** Elements that an invocation takes at least where each works alone: a multiple of BLOCK in tiles.wgsl. */
const LONE_TILE = 64;
/** Shares of an input there: enough for the lanes of many cores, few enough for each to look at all. */
const LONE_SHARES = 256;
/** Invocations of a workgroup there, as the kernels have it; workgroups are what cores share out. */
const LONE_WIDTH = 16;

/** An input shared out: to so many workgroups, or invocations that work alone, so many elements each. */
export interface Shares {
  readonly groups: number;
  /** Whole tiles. */
  readonly groupLength: number;
}

/** How an operation shares its input out. */
export interface Sharing {
  /** Whether shares go to invocations; else they go to workgroups. */
  readonly isAlone: boolean;
  /** The override of that name. */
  readonly ITEMS: number;
  /** Of any count. */
  readonly maxGroups: number;
  sharesOf(count: number): Shares;
  /** Workgroups to dispatch for so many shares. */
  dispatchFor(groups: number): WorkgroupCounts;
}

/**
 * Sharing by wish, or as suits the adapter.
 *
 * @param maxGroups  workgroups, where it goes by workgroups
 */
export function sharingOn(gpu: Gpu, maxGroups: number, teamwork?: Teamwork): Sharing {
  const items = gpu.info.kind === 'hardware' ? ITEMS : ITEMS_IN_SOFTWARE;
  if ((teamwork ?? (worksBestAlone(gpu) ? 'none' : 'workgroups')) === 'none') return loneSharing(items);
  return {
    isAlone: false,
    ITEMS: items,
    maxGroups,
    sharesOf: (count) => sharesOf(count, WIDTH * items, maxGroups),
    dispatchFor: (groups) => foldDispatch(groups),
  };
}

/** Sharing among invocations that work alone. */
export function loneSharing(items: number = ITEMS): Sharing {
  return {
    isAlone: true,
    ITEMS: items,
    maxGroups: LONE_SHARES,
    sharesOf: (count) => sharesOf(count, LONE_TILE, LONE_SHARES),
    dispatchFor: (groups) => foldDispatch(Math.ceil(groups / LONE_WIDTH)),
  };
}

/**
 * Shares the tiles of an input out to at most `maxGroups` workgroups, so that what is kept for each has a fixed bound. At
 * least one workgroup, also for an empty input.
 */
export function sharesOf(count: number, tile: number, maxGroups: number): Shares {
  const tiles = Math.max(1, Math.ceil(count / tile));
  const tilesPerGroup = Math.ceil(tiles / maxGroups);
  return {groups: Math.ceil(tiles / tilesPerGroup), groupLength: tilesPerGroup * tile};
}
