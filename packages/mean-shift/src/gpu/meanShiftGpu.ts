import type {Gpu} from '@epsball/gpu';
import type {MeanShiftGpu, MeanShiftGpuOptions} from './meanShiftGpuTypes.ts';
import {createMeanShiftPipeline} from './meanShiftPipeline.ts';

/**
 * Mean shift on WebGPU, in 1 to 16 dimensions: one invocation a climb, candidates from a grid in device memory, trajectories that have arrived
 * leave the list; modes are grouped on the device, and the host merges the groups. Beyond 4 dimensions the grid looks at the first 3.
 *
 * Arithmetic is float32 on coordinates relative to the middle of the points' box, in units of the bandwidth. Float32 points of up to 4 axes
 * are brought there on the device and rounded twice, others on the host and rounded once. A step is off by less than 10^-5 bandwidths where
 * the box is narrower than 100 of them, else by some 2^-23 of the box. In boxes wider than a thousand bandwidths coordinates take two parts, whole quanta and a float32 below
 * them, and a step is off by as little as in a narrow box; labels are then found on the host. Lattices and `DevicePoints` have one part. At bandwidth 0 the host does
 * what there is to do, and `DevicePoints` are refused.
 *
 * Device bytes a point, up to 4 dimensions: coordinates 16, positions 48, grid at most 72, lists and weights 16, groups 40 more where modes are
 * merged; and 32 a node of a lattice, at most 36 more for the bound of its ends. In wide boxes coordinates and positions take twice as much.
 *
 * @param gpu  borrowed; destroy the algorithm first
 * @throws InvalidParameterError  if an option is out of range; runs also throw as `chooseLattice`
 * @complexity as `createMeanShiftSequential`
 * @source     Agnolucci 2020, Algorithm 6; Comaniciu and Meer 2002
 */
export function createMeanShiftGpu(gpu: Gpu, options: MeanShiftGpuOptions = {}): Promise<MeanShiftGpu> {
  return createMeanShiftPipeline(gpu, options);
}
