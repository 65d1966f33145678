import {Kernel, type BufferSlice, type Gpu, type Scratch} from '@epsball/gpu';
import type {Device} from '../device.ts';
import {latticeFieldWgsl} from './latticeField.wgsl.ts';
import {NODE_BYTES, SLICE_ALIGNMENT, type LatticeLayout} from './latticeLayout.ts';
import {latticeTaps} from './latticeTaps.ts';
import type {Items, Portions} from './portions.ts';

/** Zeros on either side of the taps; see latticeField.wgsl. */
const PADDING = 3;

interface Slice {
  readonly buffer: GPUBuffer;
  readonly offset: number;
  readonly size: number;
}

/** Compiles the kernels. Call it early: the first run waits for them. */
export function fieldKernels(gpu: Gpu, dim: number) {
  return Promise.all([
    Kernel.create(gpu, latticeFieldWgsl, 'countPoints', {DIM: dim}),
    Kernel.create(gpu, latticeFieldWgsl, 'sharePoints', {DIM: dim}),
    Kernel.create(gpu, latticeFieldWgsl, 'joinParts'),
    Kernel.create(gpu, latticeFieldWgsl, 'blurX'),
    Kernel.create(gpu, latticeFieldWgsl, 'blurAcross', {IS_THIRD: false}),
    Kernel.create(gpu, latticeFieldWgsl, 'blurAcross', {IS_THIRD: dim > 2}),
  ]);
}

/** A quad for each node: sums of weighted differences, in device units, and of weights. Valid until the next call. */
export async function buildField(
  device: Device,
  {points, n, layout}: {points: GPUBuffer; n: number; layout: LatticeLayout},
  portions: Portions,
): Promise<GPUBuffer> {
  const {gpu} = device;
  const {dim, nodes, counts, origin, perUnit} = layout;
  const [count, share, join, blurX, blurY, blurZ] = await fieldKernels(gpu, dim);
  const {taps, reach} = writeTaps(device, layout);
  const {density, densest, carries, alongX, alongXy, field} = takeBuffers(device.scratch, layout);
  const shape = {counts: [...counts, 1], origin, perUnit, nodes};
  const paramsOf = (items: Items, ownReach = reach): BufferSlice =>
    device.params.write(latticeFieldWgsl.structs.FieldParams, {...shape, reach: ownReach, ...items});
  const clear = ({buffer, offset, size}: Slice): void => portions.encoder.clearBuffer(buffer, offset, size);
  clear(density);
  portions.encoder.clearBuffer(densest, 0, 4);
  await portions.dispatch(count, n, 1, (items) => count.bind({points, density, densest, params: paramsOf(items)}));
  clear(density);
  clear(carries);
  const mostPoints = densest;
  await portions.dispatch(share, n, 4 ** dim, (items) =>
    share.bind({points, density, carries, mostPoints, params: paramsOf(items)}),
  );
  const parts = density;
  await portions.dispatch(join, nodes, 3, (items) =>
    join.bind({parts, carried: carries, mostPoints, params: paramsOf(items)}),
  );
  await portions.dispatch(blurX, nodes, 2 * reach + 1, (items) =>
    blurX.bind({parts, taps, alongX, params: paramsOf(items)}),
  );
  // On an unused axis every node is alone.
  const [tapsY, reachY] = dim === 1 ? [writeAloneTap(device), 0] : [taps, reach];
  const quartetsY = counts[0] * Math.ceil(counts[1] / 4) * counts[2];
  await portions.dispatch(blurY, quartetsY, 8 * reachY + 4, (items) =>
    blurY.bind({acrossIn: alongX, acrossOut: alongXy, taps: tapsY, params: paramsOf(items, reachY)}),
  );
  const quartetsZ = dim < 3 ? 0 : counts[0] * counts[1] * Math.ceil(counts[2] / 4);
  await portions.dispatch(blurZ, quartetsZ, 8 * reach + 4, (items) =>
    blurZ.bind({acrossIn: alongXy, acrossOut: field, taps, params: paramsOf(items)}),
  );
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

function writeTaps({gpu, scratch}: Device, {width, perUnit}: LatticeLayout): {taps: GPUBuffer; reach: number} {
  const {reach, pairs} = latticeTaps(width);
  const words = new Float32Array(pairs.length + 4 * PADDING);
  pairs.forEach((tap, k) => (words[2 * PADDING + k] = k % 2 === 0 ? tap : tap / perUnit));
  const taps = scratch.take('taps', words.byteLength);
  gpu.device.queue.writeBuffer(taps, 0, words);
  return {taps, reach};
}

function writeAloneTap({gpu, scratch}: Device): GPUBuffer {
  const tap = scratch.take('aloneTap', 4 * (4 * PADDING + 2));
  const words = new Float32Array(4 * PADDING + 2);
  words[2 * PADDING] = 1;
  gpu.device.queue.writeBuffer(tap, 0, words);
  return tap;
}
