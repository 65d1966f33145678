import {pointCount, type PhaseClock} from '@epsball/clustering';
import {Uploader, type DeviceTimer, type Gpu, type Scratch} from '@epsball/gpu';
import {pointBounds} from '@epsball/spatial-grid';
import type {CheckedRun} from '../checkRun.ts';
import type {MeanShiftPhase, ShiftOptions} from '../algorithm.ts';
import {ClimbSearch, type ClimbCounts} from './climb/climbSearch.ts';
import type {PointSource} from './points/devicePoints.ts';
import {LatticeEnds} from './lattice/latticeEnds.ts';
import {LatticeField} from './lattice/latticeField.ts';
import {chooseLattice, type LatticeLayout} from './lattice/latticeLayout.ts';
import {LatticeSearch, type LatticeClimbs} from './lattice/latticeSearch.ts';
import {Portions} from './lattice/portions.ts';
import {cellsForSearch, type IndexedPlaces, type PlaceIndex} from './points/placeIndex.ts';
import {placeScale, placeWords, widen, type PlaceScale} from './points/placeScale.ts';

/** Climbs that have ended. */
export interface PlacedClimbs {
  readonly places: GPUBuffer;
  readonly weights: GPUBuffer;
  readonly m: number;
  readonly indexed: IndexedPlaces;
  /** Points as they were sent; free by now. */
  readonly uploaded: GPUBuffer;
  readonly scale: PlaceScale;
  /** Undefined where sums were over points. */
  readonly layout: LatticeLayout | undefined;
  readonly counts: ClimbCounts;
  /** Of climbs over a lattice: how far one more step of the whole Gaussian leads from any end at most, in bandwidths. */
  readonly latticeEnd: number | undefined;
}

/** How climbs step; see `MeanShiftGpuOptions`. */
export interface ClimbChoices {
  readonly teamsBelow: number;
  readonly firstPairs: number;
  /** Nodes a bandwidth; 0: none. */
  readonly lattice: number;
  /** Reads and writes of a submission in sums over a lattice, about. */
  readonly operations: number;
}

/** Sends points to the device and lets them, or seeds, climb: over points, or over a lattice. */
export class PlaceClimbs {
  /** Nodes a bandwidth that runs are to have; 0: none. */
  readonly latticeWidth: number;
  readonly #operations: number;
  readonly #gpu: Gpu;
  readonly #scratch: Scratch;
  readonly #index: PlaceIndex;
  readonly #timer: DeviceTimer<MeanShiftPhase>;
  readonly #search: ClimbSearch;
  readonly #field: LatticeField;
  readonly #latticeSearch: LatticeSearch;
  readonly #latticeEnds: LatticeEnds;
  readonly #uploader: Uploader;

  /**
   * @param scratch  borrowed, as `gpu` is
   * @param parts    borrowed: the index of the points, and the run's timer
   */
  constructor(
    gpu: Gpu,
    scratch: Scratch,
    parts: {readonly index: PlaceIndex; readonly timer: DeviceTimer<MeanShiftPhase>},
    {lattice, operations, ...choices}: ClimbChoices,
  ) {
    this.#gpu = gpu;
    this.#scratch = scratch;
    this.#index = parts.index;
    this.#timer = parts.timer;
    this.latticeWidth = lattice;
    this.#operations = operations;
    this.#search = new ClimbSearch(gpu, scratch, choices);
    this.#field = new LatticeField(gpu, scratch);
    this.#latticeSearch = new LatticeSearch(gpu, scratch, operations);
    this.#latticeEnds = new LatticeEnds(gpu, scratch);
    this.#uploader = new Uploader(gpu, 'mean-shift/seeds');
  }

  /** @throws RunAbortedError  if the signal has fired */
  async run(
    source: PointSource,
    run: CheckedRun,
    options: ShiftOptions,
    clock: PhaseClock<MeanShiftPhase>,
  ): Promise<PlacedClimbs> {
    const {rules, seeds} = run;
    const {n, box} = source;
    const m = seeds === undefined ? n : pointCount(seeds);
    clock.enter('upload');
    const beginUpload = (encoder: GPUCommandEncoder): GPUComputePassEncoder => this.#timer.beginPass(encoder, 'upload');
    const {scale, layout} = await this.#layOut(source, run, beginUpload);
    // Compiled while points are sent; who fails here fails again, and is heard, where the kernels are wanted.
    const compiling =
      layout && [this.#field, this.#latticeSearch, this.#latticeEnds].map((part) => part.prepare(box.dim));
    compiling?.forEach((kernels: Promise<unknown>) => kernels.catch(() => undefined));
    const bytes = 16 * scale.quads;
    const uploaded = this.#scratch.take('points', bytes * n);
    await source.write(uploaded, scale, beginUpload);
    clock.enter('index');
    // Climbs over a lattice need no candidates, but an order in which neighbours are together.
    const radius = (layout === undefined ? rules.radius : rules.bandwidth) * scale.factor;
    const beginPass = (encoder: GPUCommandEncoder): GPUComputePassEncoder => this.#timer.beginPass(encoder, 'index');
    const cellsPerRadius = layout === undefined ? cellsForSearch(scale, n, box.dim, radius) : 1;
    const toIndex = {points: uploaded, n, dim: box.dim, scale, radius, cellsPerRadius};
    const indexed = await this.#index.build(toIndex, beginPass);
    const places = this.#scratch.take('places', bytes * m);
    if (seeds === undefined) {
      const encoder = this.#gpu.device.createCommandEncoder();
      encoder.copyBufferToBuffer(indexed.points, 0, places, 0, bytes * n);
      this.#gpu.device.queue.submit([encoder.finish()]);
    } else {
      await this.#uploader.fill(bytes * m, places, placeWords(seeds, scale));
    }
    const field = layout && (await this.#field.build(indexed.points, n, layout, this.#portions('index', options)));
    clock.enter('shift');
    const weights = this.#scratch.take('weights', 4 * m);
    const climbs = {places, m, weights, maxSteps: rules.maxSteps, minStep2: (rules.minStep * scale.factor) ** 2};
    const placed = {places, weights, m, indexed, uploaded, scale, layout};
    if (layout !== undefined && field !== undefined) {
      const weighing = {points: indexed.points, n};
      return {...placed, ...(await this.#climbLattice(weighing, {...climbs, field, layout}, options))};
    }
    const {points, grid} = indexed;
    const isFlat = rules.kernel === 'flat';
    const overPoints = {
      ...climbs,
      points,
      n,
      scale,
      grid,
      cellsPerRadius,
      isFlat,
      radius2: radius * radius,
    };
    return {...placed, counts: await this.#search.run(overPoints, this.#timer, options), latticeEnd: undefined};
  }

  /** Where coordinates lie for kernels, and the lattice over them; without one sums are over points. */
  async #layOut(
    source: PointSource,
    run: CheckedRun,
    beginUpload: (encoder: GPUCommandEncoder) => GPUComputePassEncoder,
  ): Promise<{scale: PlaceScale; layout: LatticeLayout | undefined}> {
    const {n, isSingle, isWidened} = source;
    const {dim} = source.box;
    const bounds = await source.bounds(beginUpload);
    const narrow = placeScale({dim, bounds, isSingle}, run);
    const width = this.latticeWidth;
    const layout = width === 0 ? undefined : chooseLattice(this.#gpu, run, narrow, {n, dim, width});
    // What rounding does to a climb over a lattice is within the bound of its end.
    if (layout !== undefined || !isWidened) return {scale: narrow, layout};
    return {scale: widen(narrow, run.seeds === undefined ? bounds : pointBounds(run.seeds)), layout};
  }

  #portions(phase: MeanShiftPhase, {signal}: ShiftOptions): Portions {
    return new Portions(this.#gpu, this.#timer, {phase, signal, most: this.#operations});
  }

  async #climbLattice(
    weighing: {readonly points: GPUBuffer; readonly n: number},
    climbs: LatticeClimbs,
    options: ShiftOptions,
  ): Promise<{counts: ClimbCounts; latticeEnd: number}> {
    const counts = await this.#latticeSearch.run(climbs, this.#timer, options);
    await this.#timer.makeRoom();
    return {counts, latticeEnd: await this.#latticeEnds.measure(weighing, climbs, this.#portions('shift', options))};
  }

  destroy(): void {
    for (const owned of [this.#search, this.#field, this.#latticeSearch, this.#latticeEnds, this.#uploader])
      owned.destroy();
  }
}
