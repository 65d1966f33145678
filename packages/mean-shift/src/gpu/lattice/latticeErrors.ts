import {UNIT_32} from '../../endBound.ts';
import {nodeSums} from './latticeBound.ts';
import type {LatticeLayout} from './latticeLayout.ts';
import {latticeTaps, splineShares} from './latticeTaps.ts';

/**
 * Beyond so many bandwidths on an axis a point counts as `FAR_ERROR`, whatever its weight: exp(−8² / 2) · 8 is below
 * it.
 */
const FARTHEST = 8;
const FAR_ERROR = 2e-13;

/** Sampled positions between two nodes. Between samples errors are larger by less than a fiftieth: see `SLACK`. */
const PHASES = 16;
const SLACK = 1.05;

/** Fewest parts of a point: see latticeField.wgsl. */
const LEAST_PARTS = 2 ** 20;

/** Cells in a bandwidth, by dimensions. Smaller cells give a tighter bound, but there are more of them. */
const CELLS_PER_BANDWIDTH = [2, 2, 1];

/** A raster of cells over a lattice in which errors are bounded. */
export interface ErrorCells {
  readonly counts: readonly [number, number, number];
  readonly cells: number;
  readonly perBandwidth: number;
  /** Nodes in a bandwidth. */
  readonly width: number;
  /** Largest displacement of a point by rounding on an axis, in bandwidths; a power of two. */
  readonly displaced: number;
  /** Errors of sums by rounding: relative, and absolute. */
  readonly rounding: number;
  readonly far: number;
}

/**
 * Lays cells over a lattice. A kernel bounds the error of the lattice at a position from the numbers of points in the
 * cells around it.
 *
 * On one axis let g be the weight, d the weighted difference, and e and f the errors of the lattice's, each the largest
 * for any two positions a given number of cells apart. Products over the axes bound the errors of the sums: of weights
 * by Σ_a e_a · Π_b g_b, of differences, summed over the axes, by Σ_a (f_a · Π_b g_b + d_a · Σ_b e_b · Π_c g_c), where b
 * and c are the other axes. Summed over points, axis by axis, these are four sums for each cell.
 *
 * Rounding. Coordinates in a box of B bandwidths are rounded six times by at most B · u before they are nodes. That is
 * a displacement; it changes g by |d| and d by |1 − r²|·g for each bandwidth. Shares, taps and sums have errors of
 * several u, relative to sums of absolute values; shares also of half a part each.
 *
 * @param layout  of the lattice
 */
export function layErrorCells({dim, width, counts}: LatticeLayout, n: number): ErrorCells {
  const perBandwidth = CELLS_PER_BANDWIDTH[dim - 1];
  const extent = Math.max(...counts) / width;
  const cellCounts: [number, number, number] = [1, 1, 1];
  for (let d = 0; d < dim; d++) cellCounts[d] = Math.ceil((counts[d] / width) * perBandwidth) + 1;
  const taps = 6 * latticeTaps(width).reach + 64;
  return {
    counts: cellCounts,
    cells: cellCounts[0] * cellCounts[1] * cellCounts[2],
    perBandwidth,
    width,
    displaced: 2 ** Math.ceil(Math.log2(UNIT_32 * (6 * extent + 32))),
    rounding: taps * UNIT_32 + (0.5 * 4 ** dim) / LEAST_PARTS,
    far: n * FAR_ERROR,
  };
}

/** Cells to either side whose points count. */
export function errorReach({perBandwidth}: ErrorCells): number {
  return Math.ceil(FARTHEST * perBandwidth) + 1;
}

/**
 * For 0 … `errorReach` cells apart, the largest values on one axis, as quads: the weight, its error, the weighted
 * difference, its error. In bandwidths.
 *
 * @complexity  O(16 · width · 16²)
 */
export function errorMaxima(cells: ErrorCells): Float32Array<ArrayBuffer> {
  const {width, perBandwidth, displaced} = cells;
  const reach = errorReach(cells);
  // Rounding may move a position to another cell, and a position may lie between two samples.
  const slip = 2 * displaced + 1 / (PHASES * width);
  const maxima = new Float32Array(4 * (reach + 1));
  axisMaxima(width, displaced, (r, values) => {
    // Positions k cells apart have a distance of more than k − 1 and less than k + 1 cells.
    const first = Math.floor(Math.max(0, Math.abs(r) - slip) * perBandwidth);
    const last = Math.min(reach, Math.floor((Math.abs(r) + slip) * perBandwidth) + 1);
    for (let k = first; k <= last; k++) {
      for (let j = 0; j < 4; j++) maxima[4 * k + j] = Math.max(maxima[4 * k + j], SLACK * values[j]);
    }
  });
  return maxima;
}

/** Samples errors on one axis at a raster of distances and positions between nodes. */
function axisMaxima(width: number, displaced: number, raise: (r: number, values: readonly number[]) => void): void {
  const taps = latticeTaps(width);
  const absolute = {reach: taps.reach, pairs: taps.pairs.map(Math.abs)};
  const last = Math.floor(FARTHEST * width * PHASES);
  for (let phase = 0; phase < PHASES; phase++) {
    const point = phase / PHASES;
    const sums = nodeSums(taps, width, splineShares(point));
    const absoluteSums = nodeSums(absolute, width, splineShares(point));
    // Equal shares: the rounding errors of the four shares are equal, and their effect is four times these sums.
    const evenSums = nodeSums(absolute, width, [0.25, 0.25, 0.25, 0.25]);
    for (let q = -last; q <= last; q++) {
      const position = q / PHASES;
      const r = (position - point) / width;
      const gaussian = Math.exp(-0.5 * r * r);
      const exact = sums(position);
      const any = absoluteSums(position);
      const even = evenSums(position);
      raise(r, [
        Math.max(gaussian, any.weight, even.weight),
        Math.abs(exact.weight - gaussian) + displaced * Math.abs(r) * gaussian,
        Math.max(Math.abs(r) * gaussian, any.difference, even.difference),
        Math.abs(exact.difference + r * gaussian) + displaced * Math.abs(1 - r * r) * gaussian,
      ]);
    }
  }
}
