import {seededRandom} from './random.ts';

/** The share that `pnpm test` runs: where `EPSBALL_SHARE` is absent. */
export const SHORT = 0.1;

/**
 * The share of the tests that this process runs: `EPSBALL_SHARE`, or 0.1. At 1 every case runs, which is what
 * `pnpm test:all` does. Above 1 searches by property try more sets.
 */
export const SHARE: number = numberFrom('EPSBALL_SHARE', SHORT);

/** Start of every random choice of a share, and of every search by property: `EPSBALL_SEED`, or 1. */
export const SEED: number = numberFrom('EPSBALL_SEED', 1);

/** How a share is taken from a list. */
export interface ShareOptions<Item> {
  /** Lists with other names give other shares: the name of the test, or of the variant that it runs. */
  readonly of: string;
  /** What identifies an item, so that a new one moves no other; its index where absent. */
  readonly nameOf?: (item: Item, index: number) => string;
  /** Items of one family are alike. Every share has one of each family. */
  readonly familyOf?: (item: Item) => string;
  /** Items that belong to every share. */
  readonly isKept?: (item: Item) => boolean;
  /** The share to take, `SHARE` where absent. */
  readonly share?: number;
}

/**
 * The part of a list that the short test run takes: a seeded choice, the same on every machine. All of it where
 * the share is 1 or more.
 *
 * @returns  `share · length` items, rounded up, in the order of the list; more where kept items and one of each
 *           family are more
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

/** How many of so many runs the share has: for loops over random sets, and `numRuns` of a property. At least one. */
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
