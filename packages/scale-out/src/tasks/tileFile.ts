import {filled} from '@epsball/clustering';
import type {RangeReport} from '../tiling/joinReports.ts';
import {lowerBound} from '../tiling/mergeClusters.ts';
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
  const starts = rangeStarts(rows, rangeRows, ranges);
  const bandStarts = rangeStarts(band.rows, rangeRows, ranges);
  const pairStarts = rangeStarts(adjacent.rows, rangeRows, ranges);
  const counts = {
    own: countFlags(isOwned, starts),
    band: bandStarts.slice(1).map((end, range) => end - bandStarts[range]),
    adjacent: pairStarts.slice(1).map((end, range) => end - pairStarts[range]),
  };
  const owned = new Uint32Array(2 * counts.own.reduce((sum, count) => sum + count, 0));
  const reports = new Uint32Array(2 * (band.rows.length + adjacent.rows.length));
  let at = 0;
  let next = 0;
  for (let range = 0; range < ranges; range++) {
    const firstRow = range * rangeRows;
    const count = counts.own[range];
    for (let i = starts[range], k = at; i < starts[range + 1]; i++) {
      if (isOwned[i] === 0) continue;
      owned[k] = rows[i] - firstRow;
      owned[count + k++] = codeOf(labels[i], coreMask[i]);
    }
    at += 2 * count;
    for (let k = bandStarts[range]; k < bandStarts[range + 1]; k++, next++) {
      reports[next] = band.rows[k] - firstRow;
      reports[next + counts.band[range]] = codeOf(band.clusters[k], band.isCore[k]);
    }
    next += counts.band[range];
    for (let k = pairStarts[range]; k < pairStarts[range + 1]; k++, next++) {
      reports[next] = adjacent.rows[k] - firstRow;
      reports[next + counts.adjacent[range]] = adjacent.clusters[k];
    }
    next += counts.adjacent[range];
  }
  return {facts: {clusterCount, ...counts}, parts: [owned, reports, firstCoreRows]};
}

/** By range, and behind the last one: the first of ascending rows that is not before it. */
function rangeStarts(rows: Float64Array, rangeRows: number, ranges: number): number[] {
  const starts = [0];
  for (let range = 1; range <= ranges; range++) starts.push(lowerBound(rows, range * rangeRows));
  return starts;
}

function countFlags(flags: Uint8Array, starts: readonly number[]): number[] {
  return starts.slice(1).map((end, range) => {
    let count = 0;
    for (let i = starts[range]; i < end; i++) count += flags[i];
    return count;
  });
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
  const rowsOf = (offsets: Uint32Array): Float64Array =>
    filled(new Float64Array(offsets.length), (k) => firstRow + offsets[k]);
  const {codes} = inBand;
  return {
    firstKey,
    band: {
      rows: rowsOf(inBand.offsets),
      clusters: filled(new Int32Array(codes.length), (k) => clusterOf(codes[k])),
      isCore: filled(new Uint8Array(codes.length), (k) => codes[k] & 1),
    },
    adjacent: {
      rows: rowsOf(pairs.offsets),
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
