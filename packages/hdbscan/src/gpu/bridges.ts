import {foldDispatch, Kernel, Owner, ParamRing, ReadBack, Scratch, type Gpu, type GpuRun} from '@epsball/gpu';
import {findRoot, makeSets, uniteByIndex} from '@epsball/union-find';
import type {HdbscanPhase} from '../algorithm.ts';
import {partOfRounds} from '../tree/boruvka.ts';
import {bridgesWgsl} from './bridges.wgsl.ts';
import {pairsPerStep} from './nearLists.ts';
import {TILE_POINTS, type TiledPoints} from './tiledPoints.ts';

/** Candidates of a step. One pair of tiles has fewer. */
const ROOM = {hardware: 2 ** 21, software: 2 ** 16};

interface Bridge {
  readonly from: number;
  readonly to: number;
  readonly squared: number;
}

/** What `join` reads and writes on the device. */
interface BridgeBuffers {
  readonly core: GPUBuffer;
  readonly edges: GPUBuffer;
  /** The component of each position, any numbers below n. */
  readonly names: Uint32Array;
}

/** Components of points, numbered from 0. */
interface Components {
  readonly numbers: Uint32Array;
  readonly count: number;
}

/**
 * Joins components by the lightest edges between them. Kernels find candidates; the host takes those of the lightest
 * exact weight, as Kruskal.
 */
export class Bridges extends Owner {
  readonly #gpu: Gpu;
  readonly #params: ParamRing;
  readonly #scratch: Scratch;
  readonly #reader: ReadBack;

  constructor(gpu: Gpu) {
    super();
    this.#gpu = gpu;
    this.#params = this.own(new ParamRing(gpu, 'hdbscan/bridges.params'));
    this.#scratch = this.own(new Scratch(gpu, 'hdbscan/bridges'));
    this.#reader = this.own(new ReadBack(gpu, 'hdbscan/bridges'));
  }

  /**
   * @param known  edges that are in `edges`; the others are written behind them
   * @returns      passes over half of the pairs: 1 if there is a table for each two components
   */
  async join(
    points: TiledPoints,
    {core, edges, names}: BridgeBuffers,
    known: number,
    run: GpuRun<HdbscanPhase>,
  ): Promise<number> {
    let components = numbered(names);
    let passes = 0;
    for (let edge = known; edge < points.n - 1; passes++) {
      const bridges = await this.#pass(points, core, components, run);
      const {taken, joined} = take(bridges, components);
      if (taken.length === 0) throw new Error('the spanning tree makes no progress');
      this.#gpu.device.queue.writeBuffer(edges, 16 * edge, edgeWords(taken));
      edge += taken.length;
      components = joined;
      run.reportPart('tree', partOfRounds(points.n - edge, points.n));
    }
    return passes;
  }

  /** The lightest edges of each two components, or, with many components, of each. */
  async #pass(
    points: TiledPoints,
    core: GPUBuffer,
    {numbers, count}: Components,
    run: GpuRun<HdbscanPhase>,
  ): Promise<Bridge[]> {
    const {n, dim, tiles, bindings} = points;
    // The table is no larger than the points.
    const isByPair = count * count <= Math.min(n * dim, this.#gpu.limits.maxStorageBufferBindingSize / 4);
    const room = this.#gpu.pick(ROOM);
    const buffers = {
      ...bindings,
      core,
      numbers: this.#scratch.take('numbers', 4 * n),
      limits: this.#scratch.take('limits', 4 * (isByPair ? count * count : count)),
      count: this.#scratch.take('count', 4),
      bridges: this.#scratch.take('bridges', 16 * room),
    };
    this.#gpu.device.queue.writeBuffer(buffers.numbers, 0, numbers);
    const encoder = this.#gpu.device.createCommandEncoder();
    encoder.clearBuffer(buffers.limits);
    this.#gpu.device.queue.submit([encoder.finish()]);
    const lightest = new Map<number, Bridge>();
    const placeOf = (a: number, b: number): number => (isByPair ? Math.min(a, b) * count + Math.max(a, b) : a);
    const keep = (bridge: Bridge): void => {
      const [a, b] = [numbers[bridge.from], numbers[bridge.to]];
      for (const place of [placeOf(a, b), placeOf(b, a)]) {
        const best = lightest.get(place);
        if (best === undefined || bridge.squared < best.squared) lightest.set(place, bridge);
      }
    };
    const fields = {components: count, isByPair: isByPair ? 1 : 0, room, phases: 2};
    const step = Math.max(1, Math.floor(pairsPerStep(this.#gpu, dim) / TILE_POINTS ** 2));
    const end = (tiles * (tiles + 1)) / 2;
    for (let first = 0, size = step; first < end;) {
      const pairs = Math.min(size, end - first);
      const {found, isFull} = await this.#step({...fields, firstPair: first, pairs}, buffers, run);
      found.forEach(keep);
      // Those of the same pairs are fewer now, because the table knows bounds.
      if (isFull) {
        size = Math.max(1, pairs >> 1);
        continue;
      }
      first += pairs;
      size = Math.min(step, 2 * size);
    }
    return [...new Set(lightest.values())];
  }

  /** Candidates of some pairs of tiles; all of them, unless they are too many for the room. */
  async #step(
    fields: Readonly<Record<'firstPair' | 'pairs' | 'components' | 'isByPair' | 'room' | 'phases', number>>,
    buffers: TiledPoints['bindings'] & Readonly<Record<'core' | 'numbers' | 'limits' | 'count' | 'bridges', GPUBuffer>>,
    run: GpuRun<HdbscanPhase>,
  ): Promise<{readonly found: readonly Bridge[]; readonly isFull: boolean}> {
    const {findBridges, weighBridges} = await Kernel.createEach(this.#gpu, bridgesWgsl, [
      'findBridges',
      'weighBridges',
    ]);
    const bound = {...buffers, params: this.#params.write(bridgesWgsl.structs.BridgeParams, fields)};
    const encoder = this.#gpu.device.createCommandEncoder();
    encoder.clearBuffer(buffers.count);
    await run.makeRoom();
    run.record(encoder, 'tree', (pass) => {
      findBridges.dispatch(pass, findBridges.bind(bound), foldDispatch(fields.pairs));
      weighBridges.dispatchOver(pass, weighBridges.bind(bound), fields.room);
    });
    this.#gpu.device.queue.submit([encoder.finish()]);
    const [count] = await this.#reader.read(buffers.count, new Uint32Array(1));
    run.throwIfAborted();
    const kept = Math.min(count, fields.room);
    const words = await this.#reader.read(buffers.bridges, new Uint32Array(4 * kept));
    const weights = new Float64Array(words.buffer);
    const found: Bridge[] = [];
    for (let k = 0; k < kept; k++) {
      const squared = weights[2 * k + 1];
      // NaN: a candidate until the table had a lower bound.
      if (squared >= 0) found.push({from: words[4 * k], to: words[4 * k + 1], squared});
    }
    return {found, isFull: count > fields.room};
  }
}

/** Takes bridges in the order of their weights that close no cycle. */
function take(
  bridges: readonly Bridge[],
  {numbers, count}: Components,
): {readonly taken: readonly Bridge[]; readonly joined: Components} {
  const parent = new Int32Array(count);
  makeSets(parent);
  const taken = bridges
    .toSorted((a, b) => a.squared - b.squared || 0)
    .filter(({from, to}) => uniteByIndex(parent, numbers[from], numbers[to]));
  return {taken, joined: numbered(numbers.map((number) => findRoot(parent, number)))};
}

function numbered(names: Uint32Array): Components {
  const numberOf = new Int32Array(names.length).fill(-1);
  let count = 0;
  const numbers = names.map((name) => (numberOf[name] < 0 ? (numberOf[name] = count++) : numberOf[name]));
  return {numbers, count};
}

/** As kernels write edges. */
function edgeWords(bridges: readonly Bridge[]): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(4 * bridges.length);
  const weights = new Float64Array(words.buffer);
  for (const [k, {from, to, squared}] of bridges.entries()) {
    words[4 * k] = from;
    words[4 * k + 1] = to;
    weights[2 * k + 1] = squared;
  }
  return words;
}
