import {Kernel, ParamRing, Reader, Scratch, type Gpu, type GpuRun} from '@epsball/gpu';
import {Compact, RadixSort} from '@epsball/gpu-primitives';
import type {HdbscanPhase} from '../algorithm.ts';
import type {Basins} from '../hierarchy/condenseBasins.ts';
import {basinsWgsl} from './basins.wgsl.ts';

/** The largest `minClusterSize` of the kernels: SIZE_MAX of basins.wgsl. */
export const BASIN_SIZE_MAX = 32;

/** Cuts spanning trees into basins. Keeps its buffers, which the next run reuses. */
export class BasinsGpu implements Disposable {
  readonly #gpu: Gpu;
  readonly #sort: RadixSort;
  readonly #compact: Compact;
  readonly #params: ParamRing;
  readonly #scratch: Scratch;
  readonly #reader: Reader;

  private constructor(gpu: Gpu, sort: RadixSort, compact: Compact) {
    this.#gpu = gpu;
    this.#sort = sort;
    this.#compact = compact;
    this.#params = new ParamRing(gpu, 'hdbscan/basins.params');
    this.#scratch = new Scratch(gpu, 'hdbscan/basins');
    this.#reader = new Reader(gpu, 'hdbscan/basins');
  }

  /** @param gpu  borrowed */
  static async create(gpu: Gpu): Promise<BasinsGpu> {
    const [sort, compact] = await Promise.all([
      RadixSort.create(gpu, {values: 'index'}),
      Compact.create(gpu, {values: 'index'}),
    ]);
    return new BasinsGpu(gpu, sort, compact);
  }

  /**
   * @param edges      n − 1 edges of four words, ascending: two positions, and the squared weight as float64
   * @param n          at least `leastSize`
   * @param leastSize  points of a cluster, 2 to `BASIN_SIZE_MAX`
   * @returns          owned by the caller
   */
  async cut(edges: GPUBuffer, n: number, leastSize: number, run: GpuRun<HdbscanPhase>): Promise<Basins> {
    const count = n - 1;
    const take = (what: string, words: number): GPUBuffer => this.#scratch.take(what, 4 * words);
    const input = {keys: take('ends', 2 * count), values: take('endOrder', 2 * count)};
    const other = {keys: take('otherEnds', 2 * count), values: take('otherOrder', 2 * count)};
    const buffers = {
      edges,
      endPositions: input.keys,
      starts: take('starts', n + 1),
      links: take('links', 4 * count),
      levels: take('levels', n),
      groups: take('groups', n),
      drains: take('drains', n),
      parent: take('parent', n),
      edgeLevels: take('edgeLevels', count),
      crossingFlags: take('crossingFlags', count),
    };
    const [crossings, crossingCount] = [take('crossings', count), take('crossingCount', 1)];
    const kernels = await compile(this.#gpu);
    const params = this.#params.write(basinsWgsl.structs.BasinParams, {n, leastSize});
    this.#sort.reserve(2 * count);
    run.submit('hierarchy', (pass) => {
      const layEnds = kernels.layEnds;
      layEnds.dispatchOver(pass, layEnds.bind({...buffers, params}), count);
      const endBit = 32 - Math.clz32(count);
      const {values: ends} = this.#sort.encode(pass, {input, other, count: 2 * count, endBit});
      const bound = {...buffers, params, ends};
      const {layLinks, findLevels, uniteGroups, nameGroups, findDrains, uniteBasins, nameBasins} = kernels;
      layLinks.dispatchOver(pass, layLinks.bind(bound), 2 * count);
      findLevels.dispatchOver(pass, findLevels.bind(bound), n);
      uniteGroups.dispatchOver(pass, uniteGroups.bind(bound), count);
      nameGroups.dispatchOver(pass, nameGroups.bind(bound), n);
      findDrains.dispatchOver(pass, findDrains.bind(bound), count);
      uniteBasins.dispatchOver(pass, uniteBasins.bind(bound), count);
      nameBasins.dispatchOver(pass, nameBasins.bind(bound), n);
      const {markCrossings} = kernels;
      markCrossings.dispatchOver(pass, markCrossings.bind(bound), count);
      this.#compact.encode(pass, {flags: buffers.crossingFlags, output: crossings, keptCount: crossingCount, count});
    });
    const [kept] = await this.#read(crossingCount, 1);
    return {
      levels: await this.#read(buffers.levels, n),
      basins: await this.#read(buffers.groups, n),
      crossings: await this.#read(crossings, kept),
    };
  }

  async #read(buffer: GPUBuffer, words: number): Promise<Uint32Array> {
    const out = new Uint32Array(words);
    if (words > 0) await this.#reader.read(buffer, out);
    return out;
  }

  destroy(): void {
    this.#sort.destroy();
    this.#compact.destroy();
    this.#params.destroy();
    this.#scratch.destroy();
    this.#reader.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

async function compile(gpu: Gpu) {
  const [layEnds, layLinks, findLevels, uniteGroups, nameGroups, findDrains, uniteBasins, nameBasins, markCrossings] =
    await Promise.all([
      Kernel.create(gpu, basinsWgsl, 'layEnds'),
      Kernel.create(gpu, basinsWgsl, 'layLinks'),
      Kernel.create(gpu, basinsWgsl, 'findLevels'),
      Kernel.create(gpu, basinsWgsl, 'uniteGroups'),
      Kernel.create(gpu, basinsWgsl, 'nameGroups'),
      Kernel.create(gpu, basinsWgsl, 'findDrains'),
      Kernel.create(gpu, basinsWgsl, 'uniteBasins'),
      Kernel.create(gpu, basinsWgsl, 'nameBasins'),
      Kernel.create(gpu, basinsWgsl, 'markCrossings'),
    ]);
  return {
    layEnds,
    layLinks,
    findLevels,
    uniteGroups,
    nameGroups,
    findDrains,
    uniteBasins,
    nameBasins,
    markCrossings,
  };
}
