import {Kernel, ParamRing, type Gpu, type Scratch} from '@epsball/gpu';
import {latticeFieldWgsl} from './latticeField.wgsl.ts';
import {NODE_BYTES, SLICE_ALIGNMENT, type LatticeLayout} from './latticeLayout.ts';
import {latticeTaps} from './latticeTaps.ts';

/** Zeros on either side of the taps; see latticeField.wgsl. */
const PADDING = 3;

type FieldEntry = keyof typeof latticeFieldWgsl.entryPoints;
type FieldKernel<Entry extends FieldEntry> = Kernel<typeof latticeFieldWgsl, Entry>;
type FieldKernels = [
  FieldKernel<'countPoints'>,
  FieldKernel<'sharePoints'>,
  FieldKernel<'blurX'>,
  FieldKernel<'blurY'>,
  FieldKernel<'blurZ'>,
];

interface FieldBuffers {
  readonly density: {readonly buffer: GPUBuffer; readonly offset: number; readonly size: number};
  readonly densest: GPUBuffer;
  readonly carries: {readonly buffer: GPUBuffer; readonly offset: number; readonly size: number};
  readonly alongX: {readonly buffer: GPUBuffer; readonly offset: number; readonly size: number};
  readonly alongXy: GPUBuffer;
  readonly field: GPUBuffer;
}

/** Computes the sums at the nodes of a lattice. */
export class LatticeField {
  readonly #gpu: Gpu;
  readonly #scratch: Scratch;
  readonly #params: ParamRing;

  constructor(gpu: Gpu, scratch: Scratch) {
    this.#gpu = gpu;
    this.#scratch = scratch;
    this.#params = new ParamRing(gpu, 'mean-shift/lattice.params', 8);
  }

  /** Compiles the kernels; to be called early, since a first run waits for them. */
  prepare(dim: number): Promise<FieldKernels> {
    const create = <Entry extends FieldEntry>(entry: Entry): Promise<FieldKernel<Entry>> =>
      Kernel.create(this.#gpu, latticeFieldWgsl, entry, {DIM: dim});
    return Promise.all([
      create('countPoints'),
      create('sharePoints'),
      create('blurX'),
      create('blurY'),
      create('blurZ'),
    ]);
  }

  /**
   * Submits; the result is valid until the next build.
   *
   * @param points  n places of one quad
   * @returns       a quad a node: sums of weighted differences, in device units, and of weights
   */
  async build(
    points: GPUBuffer,
    n: number,
    layout: LatticeLayout,
    beginPass: (encoder: GPUCommandEncoder) => GPUComputePassEncoder,
  ): Promise<GPUBuffer> {
    const {dim, nodes, counts, origin, perUnit} = layout;
    const [count, share, blurX, blurY, blurZ] = await this.prepare(dim);
    const {taps, reach} = this.#writeTaps(layout);
    const {density, densest, carries, alongX, alongXy, field} = this.#takeBuffers(layout);
    const shape = {counts: [...counts, 1], origin, perUnit, points: n, nodes};
    const params = this.#params.write(latticeFieldWgsl.structs.FieldParams, {...shape, reach});
    const encoder = this.#gpu.device.createCommandEncoder();
    const record = (begin: (pass: GPUComputePassEncoder) => void): void => {
      const pass = beginPass(encoder);
      begin(pass);
      pass.end();
    };
    encoder.clearBuffer(density.buffer, 0, density.size);
    encoder.clearBuffer(densest, 0, 4);
    const counting = count.bind({points, density, densest, params});
    record((pass) => count.dispatchOver(pass, counting, n));
    encoder.clearBuffer(density.buffer, 0, density.size);
    encoder.clearBuffer(carries.buffer, carries.offset, carries.size);
    const mostPoints = densest;
    const sharing = share.bind({points, density, carries, mostPoints, params});
    const blurringX = blurX.bind({parts: density, carried: carries, mostPoints, taps, alongX, params});
    // On an axis that is not there every node is alone.
    const isLine = dim === 1;
    const blurringY = blurY.bind({
      taps: isLine ? this.#writeAloneTap() : taps,
      alongX,
      alongXy,
      params: isLine ? this.#params.write(latticeFieldWgsl.structs.FieldParams, {...shape, reach: 0}) : params,
    });
    record((pass) => share.dispatchOver(pass, sharing, n));
    record((pass) => {
      blurX.dispatchOver(pass, blurringX, nodes);
      blurY.dispatchOver(pass, blurringY, counts[0] * Math.ceil(counts[1] / 4) * counts[2]);
      if (dim < 3) return;
      const blurringZ = blurZ.bind({taps, alongXy, field, params});
      blurZ.dispatchOver(pass, blurringZ, counts[0] * counts[1] * Math.ceil(counts[2] / 4));
    });
    this.#gpu.device.queue.submit([encoder.finish()]);
    return field;
  }

  /** In three dimensions the field takes the place of what it is made of. */
  #takeBuffers({dim, nodes}: LatticeLayout): FieldBuffers {
    const wordBytes = Math.ceil((4 * nodes) / SLICE_ALIGNMENT) * SLICE_ALIGNMENT;
    const buffer = this.#scratch.take('field', Math.max(NODE_BYTES * nodes, 2 * wordBytes + 8 * nodes));
    const alongXy = this.#scratch.take('alongXy', NODE_BYTES * nodes);
    return {
      density: {buffer, offset: 0, size: 4 * nodes},
      densest: this.#scratch.take('densest', 4),
      carries: {buffer, offset: wordBytes, size: 4 * nodes},
      alongX: {buffer, offset: 2 * wordBytes, size: 8 * nodes},
      alongXy,
      field: dim < 3 ? alongXy : buffer,
    };
  }

  #writeTaps({width, perUnit}: LatticeLayout): {taps: GPUBuffer; reach: number} {
    const {reach, pairs} = latticeTaps(width);
    const words = new Float32Array(pairs.length + 4 * PADDING);
    pairs.forEach((tap, k) => (words[2 * PADDING + k] = k % 2 === 0 ? tap : tap / perUnit));
    const taps = this.#scratch.take('taps', words.byteLength);
    this.#gpu.device.queue.writeBuffer(taps, 0, words);
    return {taps, reach};
  }

  #writeAloneTap(): GPUBuffer {
    const tap = this.#scratch.take('aloneTap', 4 * (4 * PADDING + 2));
    const words = new Float32Array(4 * PADDING + 2);
    words[2 * PADDING] = 1;
    this.#gpu.device.queue.writeBuffer(tap, 0, words);
    return tap;
  }

  destroy(): void {
    this.#params.destroy();
  }
}
