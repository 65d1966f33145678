import {PRIMITIVES, summarizeTimes, type PrimitiveId, type Timing} from '@epsball/benchmarks';
import {DeviceTimer, openGpu, ReadBack, Uploader, type Gpu, type GpuBuffer} from '@epsball/gpu';
import {collectGarbage, repeatRuns, type Measured} from '../measure/measureCell.ts';
import type {CellJob} from '../run/job.ts';
import {createCopy} from './copy.ts';
import type {DeviceCase, Operation} from './operation.ts';
import {registry} from './registry.ts';

/** Milliseconds of a batch on the device: far above a timestamp's step, far below a cell's seconds. */
const BATCH_MS = 0.5;
/** Short encodes in a batch. With more, the host's recording takes longer than the device's work. */
const MAX_BATCH = 16;
/** Device milliseconds that are submitted before the host waits: so long that clocks do not fall between batches. */
const CHUNK_MS = 50;
/** Two spans a round fit the timer's 256 with room to spare. */
const MAX_CHUNK_ROUNDS = 64;
/**
 * A device's clocks fall while it waits for the host, and rise after up to a second of work. An NVIDIA H200 copies at
 * 1.7 TB/s before they rise and at 4.2 after. The low speed lasts long enough for repeats to agree on it.
 */
const CLOCKS_RISE_SECONDS = 1;
/** Counted calls from typed array to typed array: enough to show the cost of transfers. */
const WALL_REPEATS = 5;

/** Measures one operation at one count: our kernels with a copy beside them, or plain JavaScript. */
export async function measurePrimitive(job: CellJob): Promise<Measured> {
  const {dataset, n} = job.workload;
  const id = Object.keys(PRIMITIVES).find((one): one is PrimitiveId => one === dataset);
  if (id === undefined)
    throw new Error(`operation = "${dataset}"; expected one of ${Object.keys(PRIMITIVES).join(', ')}`);
  const [operation, bytes] = [registry[id], PRIMITIVES[id] * n];
  return job.subject.row === 'javascript' ? onHost(operation, bytes, job) : onDevice(operation, bytes, job);
}

async function onHost({onHost: open, verified}: Operation, bytes: number, job: CellJob): Promise<Measured> {
  const {run, verify} = open(job.workload.n);
  const timed = async (): Promise<{wallMs: number}> => {
    const startedAt = performance.now();
    run();
    return {wallMs: performance.now() - startedAt};
  };
  const times = await repeatRuns(await timed(), job.profile, timed);
  verify();
  return {wall: summarizeTimes(times.map(({wallMs}) => wallMs)), counters: {bytes}, verified: [verified]};
}

async function onDevice(operation: Operation, bytes: number, job: CellJob): Promise<Measured> {
  const gpu = await openGpu({adapter: job.adapter});
  try {
    const prepared = await operation.onDevice(gpu, job.workload.n);
    try {
      const times = await gpu.guard(job.workload.dataset, () => timeOnDevice(gpu, prepared, bytes, job));
      const wall = await timeCalls(prepared, (job.profile.repeatSeconds ?? job.profile.cellSeconds) / 2);
      return {...times, wall, verified: [operation.verified]};
    } finally {
      prepared.destroy();
    }
  } finally {
    gpu.destroy();
  }
}

/** Runs, verifies, times in turn with a copy, verifies again. */
async function timeOnDevice(
  gpu: Gpu,
  prepared: DeviceCase,
  bytes: number,
  {profile}: CellJob,
): Promise<Pick<Measured, 'device' | 'counters'>> {
  const buffers = new CaseBuffers(gpu, prepared);
  const copy = await createCopy(gpu, bytes);
  try {
    await buffers.upload();
    buffers.runOnce();
    await buffers.readBack();
    prepared.verify();
    const isSoftware = gpu.info.kind !== 'hardware';
    const times = await timeInTurn(
      gpu,
      [
        {prepare: prepared.overwrites.length === 0 ? undefined : buffers.restore, encode: buffers.encode},
        {prepare: undefined, encode: (pass) => copy.encode(pass)},
      ],
      isSoftware ? {...profile, repeats: 1, settleSeconds: 0} : {...profile, settleSeconds: CLOCKS_RISE_SECONDS},
    );
    await buffers.readBack();
    prepared.verify();
    if (times === null) return {device: null, counters: {bytes}};
    await copy.verify();
    const [ours, theirs] = times;
    const copyMs = summarizeTimes(theirs.ms).medianMs;
    return {
      device: summarizeTimes(ours.ms),
      counters: {bytes, batch: ours.batch, copyBytes: copy.bytes, copyMs},
    };
  } finally {
    copy.destroy();
    buffers.destroy();
  }
}

/** Times calls from typed array to typed array. The first is counted only where it takes long. */
async function timeCalls({run}: DeviceCase, seconds: number): Promise<Timing | null> {
  if (run === null) return null;
  const times: number[] = [];
  const call = async (): Promise<number> => {
    await collectGarbage();
    const startedAt = performance.now();
    await run();
    return performance.now() - startedAt;
  };
  let spentMs = await call();
  if (spentMs > seconds * 250) times.push(spentMs);
  while (times.length === 0 || (times.length < WALL_REPEATS && spentMs < seconds * 1000)) {
    const ms = await call();
    times.push(ms);
    spentMs += ms;
  }
  return summarizeTimes(times);
}

/** Device buffers of a case, by name. Inputs that encodes overwrite have a separate copy. */
class CaseBuffers {
  readonly #gpu: Gpu;
  readonly #case: DeviceCase;
  readonly #held = new Map<string, GpuBuffer>();
  #elsewhere: Readonly<Partial<Record<string, GPUBuffer>>> = {};

  constructor(gpu: Gpu, prepared: DeviceCase) {
    this.#gpu = gpu;
    this.#case = prepared;
    const {input, output, scratch, overwrites, count} = prepared;
    const sizes = [
      ...Object.entries({...input, ...output}).map(([name, {byteLength}]) => [name, byteLength] as const),
      ...scratch.map((name) => [name, 4 * count] as const),
      ...overwrites.map((name) => [`${name}.pristine`, input[name].byteLength] as const),
    ];
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    try {
      for (const [name, bytes] of sizes) {
        this.#held.set(name, gpu.createBuffer(`bench/primitives.${name}`, bytes, usage));
      }
    } catch (error) {
      this.destroy();
      throw error;
    }
  }

  async upload(): Promise<void> {
    using uploader = new Uploader(this.#gpu, 'bench/primitives');
    const {input, overwrites} = this.#case;
    for (const [name, values] of Object.entries(input)) {
      await uploader.upload(values, this.#get(overwrites.includes(name) ? `${name}.pristine` : name));
    }
  }

  /** Restores the inputs that an encode overwrote. */
  readonly restore = (encoder: GPUCommandEncoder): void => {
    for (const name of this.#case.overwrites) {
      const pristine = this.#get(`${name}.pristine`);
      encoder.copyBufferToBuffer(pristine, 0, this.#get(name), 0, pristine.size);
    }
  };

  readonly encode = (pass: GPUComputePassEncoder): void => {
    const buffers = [...this.#held].map(([name, {buffer}]): [string, GPUBuffer] => [name, buffer]);
    this.#elsewhere = this.#case.encode(pass, buffers);
  };

  runOnce(): void {
    const encoder = this.#gpu.device.createCommandEncoder();
    this.restore(encoder);
    const pass = encoder.beginComputePass();
    this.encode(pass);
    pass.end();
    this.#gpu.device.queue.submit([encoder.finish()]);
  }

  /** Reads the outputs of the last encode. */
  async readBack(): Promise<void> {
    using reader = new ReadBack(this.#gpu, 'bench/primitives');
    for (const [name, values] of Object.entries(this.#case.output)) {
      await reader.read(this.#elsewhere[name] ?? this.#get(name), values);
    }
  }

  #get(name: string): GPUBuffer {
    const held = this.#held.get(name);
    if (held === undefined) throw new Error(`buffer = "${name}"; expected one of ${[...this.#held.keys()].join(', ')}`);
    return held.buffer;
  }

  destroy(): void {
    for (const buffer of this.#held.values()) buffer.destroy();
    this.#held.clear();
  }
}

/** The work that is timed: one call, recorded repeatedly. */
interface TimedWork {
  /** Work before each batch that is not timed; batches are then single calls. */
  readonly prepare: ((encoder: GPUCommandEncoder) => void) | undefined;
  readonly encode: (pass: GPUComputePassEncoder) => void;
}

/** Milliseconds of one call, by repeat, and how many calls each repeat took the mean of. */
interface BatchTimes {
  readonly ms: readonly number[];
  readonly batch: number;
}

/**
 * Times several pieces of work in turn, so that all see the same clocks: round after round a batch of each, between
 * timestamps of its own.
 *
 * @param works  have run before, so pipelines and memory are ready
 * @returns      by place in `works`; null where the adapter has no timestamps
 */
async function timeInTurn(
  gpu: Gpu,
  works: readonly TimedWork[],
  {repeats, settleSeconds, cellSeconds, repeatSeconds = cellSeconds}: CellJob['profile'],
): Promise<BatchTimes[] | null> {
  using timer = new DeviceTimer(gpu, 'bench/primitives');
  const single = await runRounds(gpu, timer, works, {batches: works.map(() => 1), rounds: 1});
  if (single === null) return null;
  const batches = works.map(({prepare}, w) =>
    prepare === undefined ? Math.min(MAX_BATCH, Math.max(1, Math.ceil(BATCH_MS / Math.max(1e-4, single[w][0])))) : 1,
  );
  const roundMs = works.reduce((sum, _, w) => sum + batches[w] * single[w][0], 0);
  const chunk = Math.min(MAX_CHUNK_ROUNDS, Math.max(1, Math.floor(CHUNK_MS / roundMs)));
  const settledAt = performance.now() + 1000 * settleSeconds;
  while (performance.now() + roundMs < settledAt) await runRounds(gpu, timer, works, {batches, rounds: chunk});
  const startedAt = performance.now();
  const isTimeLeft = (): boolean => performance.now() - startedAt < repeatSeconds * 1000;
  // A long batch of one call counts as a repeat.
  const isLong = roundMs > repeatSeconds * 250 && batches.every((batch) => batch === 1);
  const times = works.map((_, w): number[] => (isLong ? [single[w][0]] : []));
  while (times[0].length < repeats && (times[0].length === 0 || isTimeLeft())) {
    const taken =
      (await runRounds(gpu, timer, works, {batches, rounds: Math.min(chunk, repeats - times[0].length)})) ?? [];
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
