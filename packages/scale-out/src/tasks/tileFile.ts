import type {RangeReport} from '../tiling/joinReports.ts';
import type {LocalLabels} from '../tiling/tilePoints.ts';
import type {TileReport} from '../tiling/tileReport.ts';
import type {RunPlan} from '../run.ts';
import {alignTo8, viewAs} from '../typedViews.ts';

/**
 * What a tile's marker says about its file. The file holds, in this order:
 * - for each range of rows, the owned points: rows and codes;
 * - for each range, the reports: rows and codes of the band, rows and clusters of adjacent pairs;
 * - the first core rows of the clusters, float64.
 *
 * Rows are uint32 offsets from the range's first row. A code is 2 · (cluster + 1) + core.
 */
export interface TileFacts {
  readonly clusterCount: number;
  /** Owned points by range. */
  readonly own: readonly number[];
  readonly band: readonly number[];
  readonly adjacent: readonly number[];
}

/** Bytes of a row and of its code, or of a pair. */
const PAIR_BYTES = 8;

export function layOutReport(
  {rowCount, rangeRows}: RunPlan,
  rows: Float64Array,
  {labels, coreMask, clusterCount}: LocalLabels,
  {isOwned, band, adjacent, firstCoreRows}: TileReport,
): {facts: TileFacts; parts: ArrayBufferView[]} {
  const ranges = Math.max(1, Math.ceil(rowCount / rangeRows));
  const countRows = (of: Float64Array, isCounted: (k: number) => boolean = () => true): number[] => {
    const counts = Array.from({length: ranges}, () => 0);
    for (let k = 0; k < of.length; k++) if (isCounted(k)) counts[Math.floor(of[k] / rangeRows)]++;
    return counts;
  };
  const isOwn = (i: number): boolean => isOwned[i] === 1;
  const counts = {own: countRows(rows, isOwn), band: countRows(band.rows), adjacent: countRows(adjacent.rows)};
  const owned = pairSections(counts.own, rangeRows);
  for (let i = 0; i < rows.length; i++) if (isOwn(i)) owned.put(rows[i], codeOf(labels[i], coreMask[i]));
  const interleaved = counts.band.flatMap((count, range) => [count, counts.adjacent[range]]);
  const reports = pairSections(interleaved, rangeRows, 2);
  band.rows.forEach((row, k) => reports.put(row, codeOf(band.clusters[k], band.isCore[k]), 0));
  adjacent.rows.forEach((row, k) => reports.put(row, adjacent.clusters[k], 1));
  return {facts: {clusterCount, ...counts}, parts: [owned.words, reports.words, firstCoreRows]};
}

/** Where the parts of a tile's file begin. */
export function tileSections({own, band, adjacent, clusterCount}: TileFacts): {
  readonly own: (range: number) => readonly [start: number, end: number];
  readonly reports: (range: number) => readonly [start: number, end: number];
  readonly firstCoreRows: readonly [start: number, end: number];
} {
  const sum = (counts: readonly number[], end: number): number => {
    let total = 0;
    for (let k = 0; k < end; k++) total += counts[k];
    return total;
  };
  const reportStart = PAIR_BYTES * sum(own, own.length);
  const reportsBefore = (range: number): number => reportStart + PAIR_BYTES * (sum(band, range) + sum(adjacent, range));
  const end = reportsBefore(band.length);
  return {
    own: (range) => [PAIR_BYTES * sum(own, range), PAIR_BYTES * sum(own, range + 1)],
    reports: (range) => [reportsBefore(range), reportsBefore(range + 1)],
    firstCoreRows: [alignTo8(end), alignTo8(end) + 8 * clusterCount],
  };
}

export function ownPoints(bytes: Uint8Array, count: number): {offsets: Uint32Array; codes: Uint32Array} {
  return {offsets: viewAs(Uint32Array, bytes, 0, count), codes: viewAs(Uint32Array, bytes, 4 * count, count)};
}

export function rangeReport(
  bytes: Uint8Array,
  {band, adjacent}: TileFacts,
  range: number,
  firstRow: number,
  firstKey: number,
): RangeReport {
  const inBand = ownPoints(bytes, band[range]);
  const pairs = ownPoints(bytes.subarray(PAIR_BYTES * band[range]), adjacent[range]);
  return {
    firstKey,
    band: {
      rows: Float64Array.from(inBand.offsets, (offset) => firstRow + offset),
      clusters: Int32Array.from(inBand.codes, clusterOf),
      isCore: Uint8Array.from(inBand.codes, (code) => code & 1),
    },
    adjacent: {
      rows: Float64Array.from(pairs.offsets, (offset) => firstRow + offset),
      clusters: Int32Array.from(pairs.codes),
    },
  };
}

function codeOf(cluster: number, core: number): number {
  return 2 * (cluster + 1) + core;
}

/** −1 for noise. */
export function clusterOf(code: number): number {
  return (code >>> 1) - 1;
}

/** Pairs of words in sections: all first words of a section, then all second ones. */
function pairSections(
  counts: readonly number[],
  rangeRows: number,
  kinds = 1,
): {readonly words: Uint32Array; put(row: number, word: number, kind?: number): void} {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const words = new Uint32Array(2 * total);
  const next: number[] = [];
  counts.reduce((start, count) => (next.push(start), start + 2 * count), 0);
  return {
    words,
    put: (row, word, kind = 0) => {
      const range = Math.floor(row / rangeRows);
      const section = range * kinds + kind;
      const at = next[section]++;
      words[at] = row - range * rangeRows;
      words[at + counts[section]] = word;
    },
  };
}
