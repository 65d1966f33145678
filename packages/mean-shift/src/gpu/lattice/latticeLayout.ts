import {GpuLimitError, InvalidParameterError, UnsupportedDimensionError} from '@epsball/clustering';
import type {Gpu} from '@epsball/gpu';
import type {CheckedClimb} from '../../checkRun.ts';
import {TAPS_REACH} from './latticeTaps.ts';
import {UNITS_PER_BANDWIDTH, type VectorScale} from '../points/vectorScale.ts';

/** Most dimensions: with more, a position would have too many nodes around it. */
const MAX_LATTICE_DIM = 3;

/** Nodes before the box, and in all around it: a position has one node before it and two behind. */
const MARGIN_BEFORE = 1;
const MARGIN = 5;

export const NODE_BYTES = 16;

/** A hundred thousand points with 550 nodes each were 12 times as fast as without a lattice. */
const FREE_NODES = 2 ** 20;
const NODES_PER_POINT = 1024;

/** Alignment of a part of a buffer. */
export const SLICE_ALIGNMENT = 256;

export interface LatticeLayout {
  readonly dim: number;
  /** Nodes in a bandwidth. */
  readonly width: number;
  /** Nodes on three axes; 1 on an unused one. */
  readonly counts: readonly [number, number, number];
  readonly nodes: number;
  /** Of node 0, in device units. */
  readonly origin: readonly number[];
  /** Nodes in a device unit. */
  readonly perUnit: number;
}

/** With seeds, which may start outside the box, nodes extend as far as points have weight. */
function layLattice(
  {min, max}: VectorScale,
  {dim, width, hasSeeds}: {dim: number; width: number; hasSeeds: boolean},
): LatticeLayout {
  const perUnit = width / UNITS_PER_BANDWIDTH;
  const around = hasSeeds ? Math.ceil(TAPS_REACH * width) : 0;
  const counts: [number, number, number] = [1, 1, 1];
  const origin: number[] = [];
  for (let d = 0; d < dim; d++) {
    counts[d] = Math.floor((max[d] - min[d]) * perUnit) + MARGIN + 2 * around;
    origin.push(min[d] - (MARGIN_BEFORE + around) / perUnit);
  }
  return {dim, width, counts, nodes: counts[0] * counts[1] * counts[2], origin, perUnit};
}

export function noFlatLattice(width: number): InvalidParameterError {
  return new InvalidParameterError('lattice', width, '0 for runs with the flat kernel');
}

/**
 * The lattice of a run, or undefined if it sums over the points within its cut instead: in too many dimensions, without
 * room on the device, and if nodes outnumber points by so much that sums over few points are faster.
 *
 * @throws InvalidParameterError, UnsupportedDimensionError, GpuLimitError  for a flat kernel; without a cut
 */
export function chooseLattice(
  gpu: Gpu,
  {rules, seeds}: CheckedClimb,
  scale: VectorScale,
  {n, dim, width}: {readonly n: number; readonly dim: number; readonly width: number},
): LatticeLayout | undefined {
  if (rules.kernel === 'flat') throw noFlatLattice(width);
  const isCut = rules.radius < Infinity;
  if (dim > MAX_LATTICE_DIM) {
    if (isCut) return undefined;
    throw new UnsupportedDimensionError('a lattice', dim, MAX_LATTICE_DIM, ['runs with a cut']);
  }
  const layout = layLattice(scale, {dim, width, hasSeeds: seeds !== undefined});
  const asked = layout.nodes * NODE_BYTES + 2 * SLICE_ALIGNMENT;
  const {maxStorageBufferBindingSize, maxBufferSize} = gpu.device.limits;
  const allowed = Math.min(maxStorageBufferBindingSize, maxBufferSize);
  if (isCut) return asked <= allowed && layout.nodes <= FREE_NODES + NODES_PER_POINT * n ? layout : undefined;
  if (asked > allowed) {
    const advice = 'fewer nodes, a wider bandwidth, or a cut, with which sums are over points, would fit';
    throw new GpuLimitError('mean-shift/lattice', asked, allowed, advice);
  }
  return layout;
}
