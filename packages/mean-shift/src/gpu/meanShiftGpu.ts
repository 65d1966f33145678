import {checkKnownOptions} from '@epsball/clustering';
import type {Gpu} from '@epsball/gpu';
import type {MeanShiftGpu, MeanShiftGpuOptions} from './meanShiftGpuTypes.ts';
import {createMeanShiftPipeline} from './meanShiftPipeline.ts';

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
 * 40 more if modes are merged. A node of a lattice takes 32, and at most 36 more for the bound of the ends. In wide
 * boxes coordinates and positions take twice as much.
 *
 * @param gpu  borrowed; destroy the algorithm first
 * @throws InvalidParameterError  if an option is out of range or unknown; runs also throw as `chooseLattice`
 * @complexity as `createMeanShiftSequential`
 * @source     Agnolucci 2020, Algorithm 6; Comaniciu and Meer 2002
 */
export async function createMeanShiftGpu(gpu: Gpu, options: MeanShiftGpuOptions = {}): Promise<MeanShiftGpu> {
  checkKnownOptions(options, ['lattice'], 'options', 'an object such as {lattice: 3}');
  return createMeanShiftPipeline(gpu, options);
}
