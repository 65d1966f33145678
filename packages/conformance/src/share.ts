import {seededRandom} from './random.ts';

/** The share that `pnpm test` runs: the default of `EPSBALL_SHARE`. */
export const SHORT = 0.015;

/**
 * The share of the tests that this process runs: `EPSBALL_SHARE`, by default 0.015. At 1 all cases run, as in
 * `pnpm test:all`. Above 1 property tests try more sets.
 */
export const SHARE: number = numberFrom('EPSBALL_SHARE', SHORT);

/** Seed of every share and of every property test: `EPSBALL_SEED`, by default 1. */
export const SEED: number = numberFrom('EPSBALL_SEED', 1);

export interface ShareOptions<Item> {
  /** Name of the test or of the variant. Other names give other shares. */
  readonly of: string;
  /** Identifies an item, so that a new item does not change the choice of the others; its index if absent. */
  readonly nameOf?: (item: Item, index: number) => string;
  /** Groups similar items. Every share contains at least one item of each family. */
  readonly familyOf?: (item: Item) => string;
  /** Items that belong to every share. */
  readonly isKept?: (item: Item) => boolean;
  /** The share, by default `SHARE`. */
  readonly share?: number;
}

/**
 * The seeded share of a list, the same on every machine. It is the whole list if the share is 1 or more.
 *
 * @returns  `share · length` items, rounded up, in the order of the list; more if the kept items and one of each family
 *           are more
 */
export function shareOf<Item>(items: readonly Item[], options: ShareOptions<Item>): Item[] {
  const {of, nameOf = (_, index) => String(index), familyOf = () => '', isKept = () => false, share = SHARE} = options;
  if (share >= 1) return [...items];
  const rankOf = (item: Item, index: number): number => seededRandom(hashOf(`${SEED} ${of} ${nameOf(item, index)}`))();
  const ranked = items.map((item, index) => ({item, index, rank: rankOf(item, index)}));
  ranked.sort((a, b) => a.rank - b.rank || a.index - b.index);

  const taken = new Set(ranked.filter(({item}) => isKept(item)));
  const families = new Set([...taken].map(({item}) => familyOf(item)));
  for (const candidate of ranked) {
    const family = familyOf(candidate.item);
    if (!families.has(family)) taken.add(candidate);
    families.add(family);
  }
  const size = sizeOfShare(items.length, share);
  for (const candidate of ranked) if (taken.size < size) taken.add(candidate);
  return [...taken].sort((a, b) => a.index - b.index).map(({item}) => item);
}

/** The share of a number of runs, at least one: for loops over random sets, and `numRuns` of a property. */
export function sizeOfShare(whole: number, share: number = SHARE): number {
  return Math.ceil(share * whole);
}

/** FNV-1a over the code units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let k = 0; k < text.length; k++) hash = Math.imul(hash ^ text.charCodeAt(k), 0x01000193);
  return hash >>> 0;
}

function numberFrom(name: string, otherwise: number): number {
  const text = process.env[name];
  if (text === undefined || text === '') return otherwise;
  const value = Number(text);
  if (!(value > 0 && value < Infinity)) throw new Error(`${name} = ${text}; expected a number above 0`);
  return value;
}
