import {Kernel, Reader, wordOf, type Gpu} from '@epsball/gpu';
import {subgroupProbeWgsl} from './subgroupProbe.wgsl.ts';

const WIDTH = 256;
const {Seen} = subgroupProbeWgsl.structs;

/** Sizes of an adapter's subgroups, as seen to work. */
export interface SubgroupSizes {
  readonly min: number;
  readonly max: number;
}

const checked = new WeakMap<Gpu, Promise<SubgroupSizes | null>>();

/**
 * Whether kernels may use subgroups on this device: it offers them, and a probe of one workgroup finds every subgroup full,
 * its lanes numbered, ballots and shuffles right. Otherwise null, and the kernels with barriers serve. Looked at once a
 * device.
 */
export function checkSubgroups(gpu: Gpu): Promise<SubgroupSizes | null> {
  let result = checked.get(gpu);
  if (!result) {
    result = probeSubgroups(gpu);
    checked.set(gpu, result);
    // A failure may pass; the next call tries again.
    result.catch(() => checked.delete(gpu));
  }
  return result;
}

async function probeSubgroups(gpu: Gpu): Promise<SubgroupSizes | null> {
  const {subgroupMinSize: min, subgroupMaxSize: max} = gpu.info;
  if (!gpu.device.features.has('subgroups') || min < 4 || max > 128) return null;
  const kernel = await Kernel.create(gpu, subgroupProbeWgsl, 'probe');
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
  const words = new Uint32Array((Seen.size / 4) * WIDTH);
  const seen = gpu.createBuffer('gpu-primitives/subgroups.seen', 4 * words.length, usage);
  const reader = new Reader(gpu, 'gpu-primitives/subgroups');
  try {
    const encoder = gpu.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    kernel.dispatch(pass, kernel.bind({seen: seen.buffer}), [1, 1, 1]);
    pass.end();
    gpu.device.queue.submit([encoder.finish()]);
    await reader.read(seen.buffer, words);
  } finally {
    seen.destroy();
    reader.destroy();
  }
  return isAsExpected(words, {min, max}) ? {min, max} : null;
}

/** Checks the probe's words; exported for its test. */
export function isAsExpected(words: Uint32Array, {min, max}: SubgroupSizes): boolean {
  const read = (lane: number, name: keyof typeof Seen.fields, k = 0): number =>
    words[(lane * Seen.size) / 4 + wordOf(Seen, name) + k];
  const size = read(0, 'teamSize');
  if (size < min || size > max || WIDTH % size !== 0) return false;
  // Which invocation sits where; full subgroups leave no place empty.
  const laneAt = new Map<number, number>();
  for (let lane = 0; lane < WIDTH; lane++) {
    if (read(lane, 'teamSize') !== size || read(lane, 'teams') * size !== WIDTH) return false;
    laneAt.set(read(lane, 'team') * size + read(lane, 'teamLane'), lane);
  }
  if (laneAt.size !== WIDTH || Math.max(...laneAt.keys()) !== WIDTH - 1) return false;
  for (let lane = 0; lane < WIDTH; lane++) {
    const first = read(lane, 'team') * size;
    if (read(lane, 'lastOfTeam') !== laneAt.get(first + size - 1)) return false;
    for (let k = 0; k < 128; k++) {
      const vote = (read(lane, 'votes', Math.floor(k / 32)) >>> (k % 32)) & 1;
      const expected = k < size && (laneAt.get(first + k) ?? 1) % 2 === 0 ? 1 : 0;
      if (vote !== expected) return false;
    }
  }
  return true;
}
