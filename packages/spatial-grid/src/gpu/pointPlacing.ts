import {Kernels, type Bindable, type Gpu} from '@epsball/gpu';
import {gatherWgsl} from './gather.wgsl.ts';

/** Points in cell order, by position, and the position of each point; a build writes them. */
export interface GatheredBuffers {
  readonly sortedCoords: GPUBuffer;
  readonly sortedWideCoords: GPUBuffer;
  readonly positions: GPUBuffer;
}

/** Points whose cells are counted. */
export interface PlacingInput {
  readonly points: {readonly n: number; readonly coords: GPUBuffer; readonly wideCoords: GPUBuffer};
  /** By point: its cell, and its number there; by cell: its first position. */
  readonly cells: {readonly cells: GPUBuffer; readonly ranks: GPUBuffer; readonly cellStart: GPUBuffer};
  /** By position: the point, and its cell. */
  readonly pointOrder: GPUBuffer;
  readonly cellIds: GPUBuffer;
  readonly grid: Bindable;
  readonly gathered: GatheredBuffers;
}

/** Puts points into cell order: every point knows its place in its cell, and every cell where it begins. */
export class PointPlacing {
  readonly #kernels: Kernels;

  constructor(gpu: Gpu) {
    this.#kernels = new Kernels(gpu);
  }

  /** Waits for the pipelines, and returns a function that records the two dispatches. */
  async prepare(overrides: {
    readonly DIM: number;
    readonly IS_WIDE: boolean;
  }): Promise<(pass: GPUComputePassEncoder, input: PlacingInput) => void> {
    const [place, copy] = await Promise.all([
      this.#kernels.get(gatherWgsl, 'placePoints', {DIM: overrides.DIM}),
      this.#kernels.get(gatherWgsl, 'copyPoints', overrides),
    ]);
    return (pass, {points: {n, coords, wideCoords}, cells, pointOrder, cellIds, grid, gathered}) => {
      place.dispatchOver(pass, place.bind({...cells, ...gathered, grid}), n);
      const copied = {coords, wideCoords, cells: cells.cells, orderOut: pointOrder, cellIdsOut: cellIds};
      copy.dispatchOver(pass, copy.bind({...copied, ...gathered, grid}), n);
    };
  }
}
