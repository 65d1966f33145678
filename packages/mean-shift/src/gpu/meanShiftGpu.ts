import {checkKnownOptions, InvalidParameterError} from '@epsball/clustering';
import type {Gpu} from '@epsball/gpu';
import {defaultTuning, type ClimbTuning} from './climb/pointClimber.ts';
import {DeviceMeanShift, type MeanShiftGpu} from './deviceMeanShift.ts';
import {MAX_LATTICE, MIN_LATTICE} from './lattice/latticeTaps.ts';
import {OPERATIONS} from './portions.ts';

export interface MeanShiftGpuOptions {
  /**
   * Nodes in a bandwidth of a lattice over the box of the points, 2 to 32. Sums of the whole Gaussian are computed at
   * its nodes, and steps interpolate between them, so the cost of a step does not depend on the number of points in
   * reach. Runs with the flat kernel are refused. Default: 0, no lattice.
   *
   * Runs with a cut sum over the points within it, with `stats.counters.nodes` = 0, in more than 3 dimensions, with far
   * more nodes than points, or with more nodes than the device has room for (32 bytes each). Runs without a cut are
   * refused in more than 3 dimensions and if the device has no room.
   */
  readonly lattice?: number | undefined;
}

/** In bandwidths from the centre. Beyond, one float32 would round steps by more than about 10^-5 bandwidths. */
const WIDE_FROM = 512;

/**
 * Mean shift on WebGPU, in 1 to 16 dimensions: one invocation for each trajectory, candidates from a grid in device
 * memory. Trajectories that have arrived leave the list. Modes are grouped on the device, and the host merges the
 * groups. Beyond 4 dimensions the grid has the first 3 axes.
 *
 * Arithmetic is float32 on coordinates relative to the middle of the box of the points, in units of the bandwidth.
 * Float32 points of up to 4 axes are scaled on the device and rounded twice, all others on the host and rounded once.
 * The error of a step is below 10^-5 bandwidths if the box is narrower than 100 bandwidths, else about 2^-23 of the
 * box. In boxes wider than a thousand bandwidths coordinates have two parts, an integer number of quanta and a float32
 * remainder, and the error is as small as in a narrow box; labels are then computed on the host. Lattices and
 * `DevicePoints` have one part. A bandwidth of 0 is computed on the host; `DevicePoints` are refused.
 *
 * Device bytes a point, up to 4 dimensions: coordinates 16, positions 48, grid at most 72, lists and weights 16, groups
 * 40 more if modes are merged. A node of a lattice takes 32. In wide boxes coordinates and positions take twice as
 * much.
 *
 * @param gpu  borrowed; destroy the algorithm first
 * @throws InvalidParameterError  if an option is out of range or unknown; runs also throw as `chooseLattice`
 * @complexity as `createMeanShiftSequential`
 * @source     Agnolucci 2020, Algorithm 6; Comaniciu and Meer 2002
 */
export async function createMeanShiftGpu(gpu: Gpu, options: MeanShiftGpuOptions = {}): Promise<MeanShiftGpu> {
  checkKnownOptions(options, ['lattice'], 'options', 'an object such as {lattice: 3}');
  return createTunedMeanShift(gpu, options);
}

/** `createMeanShiftGpu` for tests, which divide the work otherwise. */
export async function createTunedMeanShift(
  gpu: Gpu,
  {lattice = 0}: MeanShiftGpuOptions,
  {operations = gpu.pick(OPERATIONS), ...climb}: Partial<ClimbTuning> & {readonly operations?: number} = {},
): Promise<MeanShiftGpu> {
  if (lattice !== 0 && !(lattice >= MIN_LATTICE && lattice <= MAX_LATTICE)) {
    throw new InvalidParameterError('lattice', lattice, `0, or a number from ${MIN_LATTICE} to ${MAX_LATTICE}`);
  }
  const choices = {lattice, operations, wideFrom: WIDE_FROM, climb: {...defaultTuning(gpu), ...climb}};
  return DeviceMeanShift.create(gpu, choices);
}
