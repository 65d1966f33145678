import {Kernel, type BufferSlice, type Gpu, type Scratch} from '@epsball/gpu';
import type {Device} from '../device.ts';
import {latticeFieldWgsl} from './latticeField.wgsl.ts';
import {NODE_BYTES, SLICE_ALIGNMENT, type LatticeLayout} from './latticeLayout.ts';
import {latticeTaps} from './latticeTaps.ts';
import type {Items, Portions} from '../portions.ts';

/** Zeros on either side of the taps; see latticeField.wgsl. */
const PADDING = 3;

// oxlint-disable-next-line typescript/explicit-function-return-type -- a tuple of six types of kernels
function fieldKernels(gpu: Gpu, dim: number) {
  return Promise.all([
    Kernel.create(gpu, latticeFieldWgsl, 'countPoints', {DIM: dim}),
    Kernel.create(gpu, latticeFieldWgsl, 'sharePoints', {DIM: dim}),
    Kernel.create(gpu, latticeFieldWgsl, 'joinParts'),
    Kernel.create(gpu, latticeFieldWgsl, 'blurX'),
    Kernel.create(gpu, latticeFieldWgsl, 'blurAcross', {IS_THIRD: false}),
    Kernel.create(gpu, latticeFieldWgsl, 'blurAcross', {IS_THIRD: dim > 2}),
  ]);
}

/** Compiles the kernels. Call it early: the first run waits for them. */
export const compileField: (gpu: Gpu, dim: number) => Promise<unknown> = fieldKernels;

/** A quad for each node: sums of weighted differences, in device units, and of weights. Valid until the next call. */
export async function buildField(
  device: Device,
  {points, n, layout}: {points: GPUBuffer; n: number; layout: LatticeLayout},
  portions: Portions,
): Promise<GPUBuffer> {
  const {gpu} = device;
  const {dim, nodes, counts, origin, perUnit} = layout;
  const [count, share, join, blurX, blurY, blurZ] = await fieldKernels(gpu, dim);
  const {reach, pairs} = latticeTaps(layout.width);
  // Differences in device units.
  const inUnits = pairs.map((tap, k) => (k % 2 === 0 ? tap : tap / perUnit));
  const taps = writeTaps(device, 'taps', inUnits);
  const {density, densest, carries, alongX, alongXy, field} = takeBuffers(device.scratch, layout);
  const shape = {counts: [...counts, 1], origin, perUnit, nodes};
  const paramsOf = (items: Items, ownReach = reach): BufferSlice =>
    device.params.write(latticeFieldWgsl.structs.FieldParams, {...shape, reach: ownReach, ...items});
  const clear = ({buffer, offset, size}: BufferSlice): void => portions.encoder.clearBuffer(buffer, offset, size);
  clear(density);
  portions.encoder.clearBuffer(densest, 0, 4);
  await portions.dispatch(count, n, 1, (items) => ({points, density, densest, params: paramsOf(items)}));
  clear(density);
  clear(carries);
  const mostPoints = densest;
  const shared = {points, density, carries, mostPoints};
  await portions.dispatch(share, n, 4 ** dim, (items) => ({...shared, params: paramsOf(items)}));
  const parts = density;
  const joined = {parts, carried: carries, mostPoints};
  await portions.dispatch(join, nodes, 3, (items) => ({...joined, params: paramsOf(items)}));
  await portions.dispatch(blurX, nodes, 2 * reach + 1, (items) => ({parts, taps, alongX, params: paramsOf(items)}));
  // On an unused axis every node is alone.
  const [tapsY, reachY] = dim === 1 ? [writeTaps(device, 'aloneTap', [1, 0]), 0] : [taps, reach];
  const quartetsY = counts[0] * Math.ceil(counts[1] / 4) * counts[2];
  const acrossY = {acrossIn: alongX, acrossOut: alongXy, taps: tapsY};
  await portions.dispatch(blurY, quartetsY, 8 * reachY + 4, (items) => ({...acrossY, params: paramsOf(items, reachY)}));
  const quartetsZ = dim < 3 ? 0 : counts[0] * counts[1] * Math.ceil(counts[2] / 4);
  const acrossZ = {acrossIn: alongXy, acrossOut: field, taps};
  await portions.dispatch(blurZ, quartetsZ, 8 * reach + 4, (items) => ({...acrossZ, params: paramsOf(items)}));
  portions.submit();
  return field;
}

/** In three dimensions the field shares the buffer of its inputs. */
function takeBuffers(scratch: Scratch, {dim, nodes}: LatticeLayout) {
  const wordBytes = Math.ceil((4 * nodes) / SLICE_ALIGNMENT) * SLICE_ALIGNMENT;
  const buffer = scratch.take('field', Math.max(NODE_BYTES * nodes, 2 * wordBytes + 8 * nodes));
  const alongXy = scratch.take('alongXy', NODE_BYTES * nodes);
  return {
    density: {buffer, offset: 0, size: 4 * nodes},
    densest: scratch.take('densest', 4),
    carries: {buffer, offset: wordBytes, size: 4 * nodes},
    alongX: {buffer, offset: 2 * wordBytes, size: 8 * nodes},
    alongXy,
    field: dim < 3 ? alongXy : buffer,
  };
}

function writeTaps({gpu, scratch}: Device, what: string, pairs: ArrayLike<number>): GPUBuffer {
  const words = new Float32Array(pairs.length + 4 * PADDING);
  words.set(pairs, 2 * PADDING);
  const taps = scratch.take(what, words.byteLength);
  gpu.device.queue.writeBuffer(taps, 0, words);
  return taps;
}
