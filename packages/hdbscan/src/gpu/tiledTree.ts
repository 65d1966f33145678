import {Kernel, Owner, ParamRing, ReadBack, Scratch, type Gpu, type GpuRun} from '@epsball/gpu';
import type {HdbscanPhase} from '../algorithm.ts';
import {partOfRounds} from '../tree/boruvka.ts';
import {Bridges} from './bridges.ts';
import {listEdgesWgsl} from './listEdges.wgsl.ts';
import {NearLists, type NearPoints} from './nearLists.ts';
import {settleWgsl} from './settle.wgsl.ts';
import type {TiledPoints} from './tiledPoints.ts';
import type {FoundTree} from './treeOrder.ts';

/** No component is all points: the host counts edges. */
const NONE = 0xffffffff;

/**
 * Core distances and spanning tree by all pairs, for many dimensions: a pass that lists the nearest points of each one,
 * Borůvka's rounds in these lists, and a pass for the edges between the components that are left.
 *
 * A component whose lists are exhausted holds a point with its whole list, so more points than a list has entries K,
 * but for pairs that float32 cannot tell apart. So at most n / K components are left, and one pass over half of the
 * pairs ends the tree if a table of two components each fits: n ≤ dim · K². Otherwise passes halve them.
 */
export class TiledTreeGpu extends Owner {
  readonly #gpu: Gpu;
  readonly #lists: NearLists;
  readonly #bridges: Bridges;
  readonly #params: ParamRing;
  readonly #scratch: Scratch;
  readonly #reader: ReadBack;

  constructor(gpu: Gpu) {
    super();
    this.#gpu = gpu;
    this.#lists = this.own(new NearLists(gpu));
    this.#bridges = this.own(new Bridges(gpu));
    this.#params = this.own(new ParamRing(gpu, 'hdbscan/tiledTree.params'));
    this.#scratch = this.own(new Scratch(gpu, 'hdbscan/tiledTree'));
    this.#reader = this.own(new ReadBack(gpu, 'hdbscan/tiledTree'));
  }

  /**
   * @param rank  of the core distance, at most n
   * @returns     valid until the next run
   */
  async build(points: TiledPoints, rank: number, run: GpuRun<HdbscanPhase>): Promise<FoundTree> {
    run.enter('core');
    const nearest = await this.#lists.find(points, rank, run);
    run.enter('tree');
    const {n} = points;
    const {core} = nearest;
    const take = (what: string, bytes: number): GPUBuffer => this.#scratch.take(what, bytes);
    const buffers = {
      core,
      found: take('found', 16 * n),
      names: take('names', 4 * n + 8),
      lightest: take('lightest', 16 * n + 4),
      parent: take('parent', 4 * n),
      edges: take('edges', 16 * n),
      state: take('state', 16),
    };
    const {edges, rounds} = await this.#runRounds(points, nearest, buffers, run);
    if (edges === n - 1) return {core, edges: buffers.edges, rounds};
    const names = await this.#reader.read(buffers.names, new Uint32Array(n));
    const passes = await this.#bridges.join(points, {...buffers, names}, edges, run);
    return {core, edges: buffers.edges, rounds: rounds + passes};
  }

  /** Rounds until no component is sure of its lightest edge. Afterwards `names` has the components. */
  async #runRounds(
    {n, bindings}: TiledPoints,
    {near, reach, kept}: NearPoints,
    buffers: RoundBuffers,
    run: GpuRun<HdbscanPhase>,
  ): Promise<{readonly edges: number; readonly rounds: number}> {
    const {startRounds, nameComponents, settleLowWords, settleEdges, uniteComponents, listEdges, listDoubts} =
      await compileRounds(this.#gpu);
    this.#gpu.device.queue.writeBuffer(buffers.names, 4 * n, Uint32Array.of(NONE));
    const start = this.#params.write(settleWgsl.structs.SettleParams, {level: 0, hasNear: 0});
    const params = this.#params.write(listEdgesWgsl.structs.ListEdgeParams, {kept});
    const bound = {...bindings, ...buffers, namesOut: buffers.names, near, reach, params};
    run.submit('tree', (pass) => {
      startRounds.dispatchOver(pass, startRounds.bind({...bound, params: start}), n);
      nameComponents.dispatchOver(pass, nameComponents.bind(bound), n);
    });
    const known = new Uint32Array(2);
    run.report('tree', 0);
    for (let edges = -1; edges < n - 1 && known[0] !== edges;) {
      [edges] = known;
      await run.makeRoom();
      run.submit('tree', (pass) => {
        listEdges.dispatchOver(pass, listEdges.bind(bound), n);
        settleLowWords.dispatchOver(pass, settleLowWords.bind(bound), n);
        listDoubts.dispatchOver(pass, listDoubts.bind(bound), n);
        settleEdges.dispatchOver(pass, settleEdges.bind(bound), n);
        uniteComponents.dispatchOver(pass, uniteComponents.bind(bound), n);
        nameComponents.dispatchOver(pass, nameComponents.bind(bound), n);
      });
      await this.#reader.read(buffers.state, known);
      run.throwIfAborted();
      run.reportPart('tree', partOfRounds(n - known[0], n));
    }
    return {edges: known[0], rounds: known[1]};
  }
}

type RoundBuffers = Readonly<Record<'core' | 'found' | 'names' | 'lightest' | 'parent' | 'edges' | 'state', GPUBuffer>>;

async function compileRounds(gpu: Gpu) {
  const steps = ['startRounds', 'nameComponents', 'settleLowWords', 'settleEdges', 'uniteComponents'] as const;
  const [settle, lists] = await Promise.all([
    Kernel.createEach(gpu, settleWgsl, steps),
    Kernel.createEach(gpu, listEdgesWgsl, ['listEdges', 'listDoubts']),
  ]);
  return {...settle, ...lists};
}
