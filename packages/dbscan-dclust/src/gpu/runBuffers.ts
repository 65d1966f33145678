import {GpuLimitError, type DbscanParams} from '@epsball/clustering';
import {float64Words, packStruct, type Gpu, type Scratch} from '@epsball/gpu';
import {distanceBounds, type DevicePoints} from '@epsball/spatial-grid/gpu';
import {NO_OWNER} from '../collisionMatrix.ts';
import {MAX_CHAINS, type DclustSettings} from '../options.ts';
import {runStructs} from './run.wgsl.ts';
import {searchStructs} from './search.wgsl.ts';

const {RunParams} = runStructs;
const {Search, Chain} = searchStructs;

/** As SEEDS of run.wgsl and KEPT of quarantine.wgsl. */
const SEEDS = 8;
const KEPT = 1024;
/** An identity has 27 bits (states.wgsl); the largest value means unprocessed. */
const MAX_POINTS = 2 ** 27 - 1;
/**
 * In one dispatch a workgroup makes at most MAX_PASSES passes, and begins none after testing MAX_CANDIDATES candidates:
 * enough work to pay for the dispatch, and little enough that chains without seeds get some soon. Abort and progress
 * wait for a batch.
 */
const MAX_PASSES = 8;
const MAX_CANDIDATES = {hardware: 2 ** 19, software: 2 ** 14};

/** Meetings that a chain can note for the next dispatch; each further one costs a second pass over a point. */
const MEETINGS = 2048;

/** Invocations of a workgroup. On a software adapter a barrier costs time for each invocation. */
const WIDTH = {hardware: 256, software: 32};

export function workgroupWidth(gpu: Gpu): number {
  return gpu.pick(WIDTH);
}

/** Upper bound of the comparisons of two blocks of four axes in a round. */
export function roundCost(gpu: Gpu, chains: number, {n, dim}: {readonly n: number; readonly dim: number}): number {
  const candidates = gpu.pick(MAX_CANDIDATES);
  const passes = Math.min(MAX_PASSES, Math.ceil(candidates / n));
  return chains * SEEDS * passes * n * Math.ceil(dim / 4);
}

/** By binding name. `workOut` and `work`, whether a chain has seeds in this round, are one buffer. */
export type RunBuffers = Readonly<
  Record<'run' | 'search' | 'states' | 'pointBlocks' | 'lists' | 'workOut' | 'work' | 'collisionMatrix', GPUBuffer>
>;

/** @throws GpuLimitError  if the lists do not fit into a buffer of the device */
export function requireLists({limits}: Gpu, settings: DclustSettings): void {
  const {chains, seedLength} = settings;
  const what = `bytes of seed lists for chains = ${chains}, seedLength = ${seedLength}`;
  requireRoom(limits, what, listBytes(settings), 'fewer chains or a smaller seedLength would fit');
}

/** @throws GpuLimitError  if the points do not fit, before they are uploaded */
export function requirePoints(limits: Limits, n: number, dim: number): void {
  if (n > MAX_POINTS) throw new GpuLimitError('points', n, MAX_POINTS, 'another algorithm supports more');
  const what = 'bytes of dbscan-dclust/pointBlocks';
  requireRoom(limits, what, blockBytes(n, dim), 'fewer points or another algorithm would fit');
}

type Limits = Pick<GPUSupportedLimits, 'maxBufferSize' | 'maxStorageBufferBindingSize'>;

function requireRoom(limits: Limits, what: string, bytes: number, advice: string): void {
  const allowed = Math.min(limits.maxBufferSize, limits.maxStorageBufferBindingSize);
  if (bytes > allowed) throw new GpuLimitError(what, bytes, allowed, advice);
}

function blockBytes(n: number, dim: number): number {
  return 16 * Math.ceil(dim / 4) * n;
}

/** Bytes of the lists of all chains without neighbours in quarantine, in the layout of seedLists.wgsl. */
function listBytes({chains, seedLength}: DclustSettings): number {
  return 4 * chains * (seedLength + SEEDS + 2 + 2 * MEETINGS);
}

/** Takes buffers and writes parameters. `layOut` writes points, states and identities, and clears the matrix. */
export function takeRunBuffers(
  gpu: Gpu,
  scratch: Scratch,
  settings: DclustSettings,
  {n, dim, displacement, wideCoords}: DevicePoints,
  isOrdered: boolean,
  params: Pick<DbscanParams, 'eps' | 'eps2' | 'minPts'>,
): RunBuffers {
  const {chains, seedLength, quarantineBytes} = settings;
  const blocks = Math.ceil(dim / 4);
  const seedBytes = listBytes(settings);
  // Upper bound of the neighbours of seeds none of which is core.
  const wanted = Math.max(0, Math.min(n, SEEDS * params.minPts) - KEPT);
  const spillBytes = Math.min(quarantineBytes, gpu.device.limits.maxStorageBufferBindingSize - seedBytes);
  const spillLength = Math.min(wanted, Math.floor(spillBytes / (8 * chains)));
  const work = scratch.take('work', 4 * MAX_CHAINS);
  const buffers = {
    work,
    workOut: work,
    run: scratch.take('run', RunParams.size),
    search: scratch.take('search', Search.size + Chain.size * chains),
    states: scratch.take('states', 8 * n),
    pointBlocks: scratch.take('pointBlocks', blockBytes(n, dim)),
    lists: scratch.take('lists', seedBytes + 8 * chains * spillLength),
    collisionMatrix: scratch.take('collisionMatrix', 4 * Math.ceil(chains ** 2 / 32)),
  };
  const {sureBelow, sureAbove, isExactOnly} = distanceBounds(dim, params.eps, displacement, 0);
  const values = {
    eps2: float64Words(params.eps2 ?? params.eps * params.eps),
    n,
    dim,
    blocks,
    minPts: params.minPts,
    sureBelow,
    sureAbove,
    isExactOnly,
    chains,
    seedLength,
    spillLength,
    meetingLength: MEETINGS,
    maxPasses: MAX_PASSES,
    maxCandidates: gpu.pick(MAX_CANDIDATES),
    freshLength: Math.min(SEEDS, seedLength),
    isOrdered: Number(isOrdered),
    isWide: Number(wideCoords !== undefined),
  };
  const {queue} = gpu.device;
  queue.writeBuffer(buffers.run, 0, packStruct(RunParams, values));
  queue.writeBuffer(buffers.search, 0, new ArrayBuffer(Search.size));
  // Chains without seeds, whose rows have no owner.
  const rows = new Uint32Array((chains * Chain.size) / 4);
  for (let k = Chain.fields.owner.offset / 4; k < rows.length; k += Chain.size / 4) rows[k] = NO_OWNER;
  queue.writeBuffer(buffers.search, Search.fields.ofChain.offset, rows);
  return buffers;
}
