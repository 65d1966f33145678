import {indicesBelow, pointCount, validatePoints, type PointSet} from '@epsball/clustering';
import {Kernel, Owner, ParamRing, Scratch, Uploader, type BufferSlice, type Gpu, type GpuRun} from '@epsball/gpu';
import type {HdbscanPhase} from '../algorithm.ts';
import {boxTreeStructs} from './boxTree.wgsl.ts';
import {layTilesWgsl} from './layTiles.wgsl.ts';
import {tilesStructs} from './tiles.wgsl.ts';

/** As in tiles.wgsl. */
export const TILE_POINTS = 128;
const SLAB = 8;

/** Beyond these, squares leave the range of float64, where its roundings are relative. */
const EXPONENT_LEAST = -420;
const EXPONENT_MOST = 500;

/** Points in tiles on the device, in the caller's order. */
export interface TiledPoints {
  readonly n: number;
  readonly dim: number;
  readonly tiles: number;
  readonly bindings: {
    readonly tree: BufferSlice;
    readonly shape: BufferSlice;
    readonly tiles: GPUBuffer;
    readonly lows: GPUBuffer;
    readonly words: GPUBuffer;
  };
  /** n u32: the index of the point at each position. */
  readonly pointOrder: GPUBuffer;
}

/** Lays points out in tiles. Keeps its buffers, which the next run reuses. */
export class TileBuilder extends Owner {
  readonly #gpu: Gpu;
  readonly #uploader: Uploader;
  readonly #params: ParamRing;
  readonly #scratch: Scratch;

  constructor(gpu: Gpu) {
    super();
    this.#gpu = gpu;
    this.#uploader = this.own(new Uploader(gpu, 'hdbscan/tiles'));
    this.#params = this.own(new ParamRing(gpu, 'hdbscan/tiles.params'));
    this.#scratch = this.own(new Scratch(gpu, 'hdbscan/tiles'));
  }

  /**
   * Uploads points and lays them out. Submits.
   *
   * @returns  valid until the next build
   * @throws InvalidPointsError  if a coordinate is not finite
   */
  async build(points: PointSet, run: GpuRun<HdbscanPhase>): Promise<TiledPoints> {
    const {coords, dim} = points;
    const n = pointCount(points);
    const take = (what: string, bytes: number): GPUBuffer => this.#scratch.take(what, bytes);
    run.enter('upload');
    const {centre, magnitude} = centreOf(points);
    const words = take('words', coords.byteLength);
    const pointOrder = take('pointOrder', 4 * n);
    const centreWords = take('centre', centre.byteLength);
    await this.#uploader.upload(coords, words);
    await this.#uploader.upload(indicesBelow(n), pointOrder);
    await this.#uploader.upload(centre, centreWords);
    run.throwIfAborted();
    run.enter('index');
    const axes = SLAB * Math.ceil(dim / SLAB);
    const tiles = Math.ceil(n / TILE_POINTS);
    // No point is farther than 2 · magnitude · √dim from the centre.
    const exponent = magnitude === 0 ? 0 : Math.ceil(Math.log2(magnitude)) + 1 + Math.ceil(Math.log2(dim) / 2);
    const isInRange = exponent >= EXPONENT_LEAST && exponent <= EXPONENT_MOST;
    const shape = this.#params.write(tilesStructs.TileParams, {
      axes,
      band: (2 * dim + 32) * 2 ** -24,
      least: isInRange ? 2 ** -98 : 1024,
      rows: 8,
    });
    const scaled = (unit: number): BufferSlice =>
      this.#params.write(boxTreeStructs.BoxTreeParams, {
        n,
        dim,
        isWide: coords instanceof Float64Array ? 1 : 0,
        height: 0,
        leaves: 1,
        unit,
        slack: 0,
        shrink: 1,
      });
    const laid = {tiles: take('tiles', 4 * TILE_POINTS * tiles * axes), lows: take('lows', 4 * TILE_POINTS * tiles)};
    const {layTiles, layLows} = await Kernel.createEach(this.#gpu, layTilesWgsl, ['layTiles', 'layLows']);
    const bound = {words, shape, centre: centreWords, ...laid, tree: scaled(-exponent)};
    const tilesOut = {buffer: laid.tiles, offset: 0, size: 4 * TILE_POINTS * tiles * axes};
    const lowsOut = {buffer: laid.lows, offset: 0, size: 4 * TILE_POINTS * tiles};
    run.submit('index', (pass) => {
      layTiles.dispatchOver(pass, layTiles.bind({...bound, tilesOut}), (TILE_POINTS / 4) * tiles * axes);
      layLows.dispatchOver(pass, layLows.bind({...bound, lowsOut}), TILE_POINTS * tiles);
    });
    return {n, dim, tiles, bindings: {tree: scaled(-2 * exponent), shape, words, ...laid}, pointOrder};
  }
}

/**
 * The mean of the points, which makes the norms of their differences small, and the largest |coordinate|.
 *
 * @throws InvalidPointsError  if a coordinate is not finite
 */
function centreOf(points: PointSet): {readonly centre: Float64Array; readonly magnitude: number} {
  const {coords, dim} = points;
  const centre = new Float64Array(dim);
  let magnitude = 0;
  for (let at = 0; at < coords.length; at += dim) {
    for (let d = 0; d < dim; d++) {
      const x = coords[at + d];
      centre[d] += x;
      const size = Math.abs(x);
      if (size > magnitude) magnitude = size;
    }
  }
  if (!centre.every(Number.isFinite)) {
    validatePoints(points);
    centre.fill(0);
  }
  const n = pointCount(points);
  return {centre: centre.map((sum) => sum / n), magnitude};
}
