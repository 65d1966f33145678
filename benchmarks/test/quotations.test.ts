import {readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {z} from 'zod';
import {suites} from '../src/index.ts';
import {PUBLISHED, PUBLISHED_FACTORS, SIZES} from '../src/suites/meanShiftPaper.ts';

/** The numbers of the four documents, word for word. */
const INVENTORY = z
  .array(
    z.object({
      id: z.string(),
      claims: z.array(z.string()).default([]),
      rows: z.array(z.array(z.string())).default([]),
      must_print: z.array(z.string()).default([]),
    }),
  )
  .parse(JSON.parse(readFileSync(new URL('inventory.json', import.meta.url), 'utf8')));

/** Beginnings of the identifiers of a suite's document. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  milanesi: 'mil-',
  'gdbscan-hybrid': 'hy-',
  'dclust-none': 'dc-',
  dclust: 'dc-',
  'dclust-dim': 'dc-',
};

function rowsOf(id: string): readonly (readonly string[])[] {
  return INVENTORY.find((entry) => entry.id === id)?.rows ?? [];
}

/** Points of Table 1: `65k`, `2m`. */
function pointsOf(text: string): number {
  return Number.parseFloat(text) * (text.endsWith('m') ? 1_000_000 : 1000);
}

/** The document's emphasis and TeX, as the report prints them. */
function plainText(text: string): string {
  return text.replaceAll('**', '').replaceAll(String.raw` \times`, '×');
}

describe('what the suites of DBSCAN quote', () => {
  it('stands in the document, as printed', () => {
    const quoting = suites.filter((suite) => suite.kind === 'dbscan' && suite.published.length > 0);
    expect(quoting.map(({id}) => id).toSorted()).toEqual(Object.keys(DOCUMENTS).toSorted());
    for (const suite of quoting) {
      if (suite.kind !== 'dbscan') continue;
      const entries = INVENTORY.filter(({id}) => id.startsWith(DOCUMENTS[suite.id]));
      const texts = entries.flatMap(({claims, must_print}) => [...claims, ...must_print]).map(plainText);
      for (const {printed} of suite.published) {
        expect(
          texts.filter((text) => text.includes(printed)),
          `${suite.id}: ${printed}`,
        ).not.toEqual([]);
      }
    }
  });

  it('is a value that the printed number states', () => {
    const units = {time: 1000, timeWithoutIndex: 1000, indexTime: 1000, indexShare: 0.01, speedUp: 1};
    const words: Readonly<Record<string, number>> = {'nine hours': 9 * 3_600_000, '40 minutes': 40 * 60_000};
    for (const suite of suites) {
      if (suite.kind !== 'dbscan') continue;
      for (const {printed, value, quantity} of suite.published) {
        const number = Number(/[\d.]+/.exec(printed)?.[0]);
        expect(value, printed).toBeCloseTo(words[printed] ?? number * units[quantity], 9);
      }
    }
  });

  it('contains Table 1 of CUDA-DClust, each row at its points and dimensions', () => {
    const figures = suites.flatMap((suite) => (suite.kind === 'dbscan' ? suite.published : []));
    const rows = rowsOf('dc-tab1');
    expect(rows).toHaveLength(9);
    for (const [points, dim, index, gpu, share] of rows) {
      const row = figures.filter((one) => one.n === pointsOf(points) && one.dim === Number(dim));
      const printed = (quantity: string): (string | undefined)[] => [
        ...new Set(row.filter((one) => one.quantity === quantity).map((one) => one.printed)),
      ];
      expect(['indexTime', 'timeWithoutIndex', 'indexShare'].map(printed)).toEqual([[index], [gpu], [share]]);
    }
  });
});

describe('what the suite of mean shift quotes', () => {
  const time = (method: string, n: number, tileWidth: number | null = null): string | undefined =>
    PUBLISHED.find((one) => one.method === method && one.n === n && one.tileWidth === tileWidth)?.printed;
  const factor = (over: string, method: string, n: number): string | undefined =>
    PUBLISHED_FACTORS.find((one) => one.over === over && one.method === method && one.n === n)?.printed;

  it('is the table over TILE_WIDTH', () => {
    const tiles = PUBLISHED.filter(({tileWidth}) => tileWidth !== null);
    expect(tiles.map(({tileWidth, printed}) => [String(tileWidth), printed])).toEqual(rowsOf('ms-tab-tile'));
  });

  it('is naive against tiling, whose headings the document swaps', () => {
    expect(SIZES.map((n) => [String(n), time('tiled', n), time('naive', n), factor('naive', 'tiled', n)])).toEqual(
      rowsOf('ms-tab-naive'),
    );
  });

  it('is sequential against tiling, and the global comparison', () => {
    const tiled = (n: number): unknown[] => [time('tiled', n), factor('sequential', 'tiled', n)];
    expect(SIZES.map((n) => [String(n), time('sequential', n), ...tiled(n)])).toEqual(rowsOf('ms-tab-seq'));
    expect(
      SIZES.map((n) => [
        String(n),
        time('sequential', n),
        time('workers', n),
        factor('sequential', 'workers', n),
        ...tiled(n),
      ]),
    ).toEqual(rowsOf('ms-tab-global'));
  });
});
