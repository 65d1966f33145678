import type {PrimitiveProfile} from '@epsball/benchmarks';
import {DeviceTimer, type Gpu} from '@epsball/gpu';

/** Milliseconds of a batch on the device: far above a timestamp's step, far below a cell's seconds. */
const BATCH_MS = 0.5;
/** Short encodes in a batch. With more, the host's recording takes longer than the device's work. */
const MAX_BATCH = 16;
/**
 * Device milliseconds that are submitted before the host waits: long enough that clocks do not fall between batches.
 */
const CHUNK_MS = 50;
/** Two spans a round fit the timer's 256 with room to spare. */
const MAX_CHUNK_ROUNDS = 64;

/**
 * A device's clocks fall while it waits for the host, and rise after up to a second of work. An NVIDIA H200 copies at
 * 1.7 TB/s before they rise and at 4.2 after. The low speed lasts long enough for repeats to agree on it.
 */
const CLOCKS_RISE_SECONDS = 1;

type Repeats = Pick<PrimitiveProfile, 'repeats' | 'settleSeconds' | 'cellSeconds'>;

/** The work that is timed: one call, recorded repeatedly. */
export interface TimedWork {
  /** Work before each batch that is not timed; batches are then single calls. */
  readonly prepare?: ((encoder: GPUCommandEncoder) => void) | undefined;
  readonly encode: (pass: GPUComputePassEncoder) => void;
}

/** Milliseconds of one call, by repeat, and how many calls each repeat took the mean of. */
export interface BatchTimes {
  readonly ms: readonly number[];
  readonly batch: number;
}

/** Seconds of uncounted work on a device that has waited for `idleSeconds`: as long as it has waited, within bounds. */
export function settleAfter(idleSeconds: number, settleSeconds: number): number {
  return Math.max(settleSeconds, Math.min(CLOCKS_RISE_SECONDS, idleSeconds));
}

/**
 * Times several pieces of work in turn, so that all see the same clocks: round after round a batch of each, between
 * timestamps of its own.
 *
 * @param works  have run before, so pipelines and memory are ready
 * @returns      by place in `works`; null where the adapter has no timestamps
 */
export async function timeInTurn(
  gpu: Gpu,
  works: readonly TimedWork[],
  profile: Repeats,
): Promise<BatchTimes[] | null> {
  const timer = new DeviceTimer(gpu, 'bench/primitives');
  try {
    return await timeRounds(gpu, timer, works, profile);
  } finally {
    timer.destroy();
  }
}

async function timeRounds(
  gpu: Gpu,
  timer: DeviceTimer,
  works: readonly TimedWork[],
  profile: Repeats,
): Promise<BatchTimes[] | null> {
  const single = await runRounds(gpu, timer, works, {batches: works.map(() => 1), rounds: 1});
  if (single === null) return null;
  const batches = works.map(({prepare}, w) =>
    prepare === undefined ? Math.min(MAX_BATCH, Math.max(1, Math.ceil(BATCH_MS / Math.max(1e-4, single[w][0])))) : 1,
  );
  const roundMs = works.reduce((sum, _, w) => sum + batches[w] * single[w][0], 0);
  const chunk = Math.min(MAX_CHUNK_ROUNDS, Math.max(1, Math.floor(CHUNK_MS / roundMs)));

  const settledAt = performance.now() + 1000 * profile.settleSeconds;
  while (performance.now() + roundMs < settledAt) await runRounds(gpu, timer, works, {batches, rounds: chunk});
  const startedAt = performance.now();
  const spentSeconds = (): number => (performance.now() - startedAt) / 1000;
  // A long batch of one call counts as a repeat.
  const isLong = roundMs > profile.cellSeconds * 250 && batches.every((batch) => batch === 1);
  const times = works.map((_, w): number[] => (isLong ? [single[w][0]] : []));
  while (times[0].length < profile.repeats && (times[0].length === 0 || spentSeconds() < profile.cellSeconds)) {
    const rounds = Math.min(chunk, profile.repeats - times[0].length);
    const taken = (await runRounds(gpu, timer, works, {batches, rounds})) ?? [];
    for (const [w, ms] of taken.entries()) times[w].push(...ms);
  }
  return times.map((ms, w) => ({ms, batch: batches[w]}));
}

/** Milliseconds of one call by work and round, after waiting for all of them. */
async function runRounds(
  gpu: Gpu,
  timer: DeviceTimer,
  works: readonly TimedWork[],
  {batches, rounds}: {readonly batches: readonly number[]; readonly rounds: number},
): Promise<number[][] | null> {
  timer.reset();
  for (let round = 0; round < rounds; round++) {
    const encoder = gpu.device.createCommandEncoder();
    for (const [w, {prepare, encode}] of works.entries()) {
      prepare?.(encoder);
      const pass = timer.beginPass(encoder, `${w} ${round}`);
      for (let k = 0; k < batches[w]; k++) encode(pass);
      pass.end();
    }
    gpu.device.queue.submit([encoder.finish()]);
  }
  const spans = await timer.read();
  if (spans === undefined) return null;
  return works.map((_, w) => Array.from({length: rounds}, (__, round) => (spans[`${w} ${round}`] ?? 0) / batches[w]));
}
