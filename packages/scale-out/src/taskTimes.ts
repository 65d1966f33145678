import type {Task} from './run.ts';

/** What a task took: milliseconds, and bytes that it read and wrote, of the input and of the run. */
export interface TaskTimes {
  readonly wallMs: number;
  /** CPU time of the thread that ran the task. Of the process where Node has no clock for threads (before 23.9). */
  readonly cpuMs: number;
  /** Waits for points of the input, which a thread decodes if they are Parquet. */
  readonly inputMs: number;
  /** Reads of files of the run, with their checksums. */
  readonly readMs: number;
  /** Writes of files of the run, with their checksums, until they are on the disk. */
  readonly writeMs: number;
  readonly readBytes: number;
  readonly writtenBytes: number;
  /** Waits for the labels of a tile. */
  readonly clusterMs: number;
  /** Of them, those in which the calling thread had the tile, with waiting for its turn. */
  readonly callingThreadMs: number;
  /** Of them, those in which the calling thread clustered the tile: of two at a time, both. */
  readonly callingThreadBusyMs: number;
}

/** What a stage took: the sums over its tasks, but for `wallMs`, which passed from its begin to its end. */
export interface StageTimes extends TaskTimes {
  /** `create` and `labels` are what the caller of `runLocally` does before and after it. */
  readonly stage: Task['kind'] | 'create' | 'labels';
  readonly tasks: number;
  /** Sum of the tasks' wall times. */
  readonly taskMs: number;
}

const NO_PARTS = {inputMs: 0, readMs: 0, writeMs: 0, readBytes: 0, writtenBytes: 0, clusterMs: 0};

/** Adds up what parts of a task take. Parts of one kind do not overlap. */
export class TaskMeter {
  readonly #sums = {...NO_PARTS};

  /** Returns what `work` returns, and adds the time that it takes. */
  async time<Result>(
    part: 'inputMs' | 'readMs' | 'writeMs' | 'clusterMs',
    work: () => Promise<Result>,
  ): Promise<Result> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.#sums[part] += performance.now() - start;
    }
  }

  count(part: 'readBytes' | 'writtenBytes', bytes: number): void {
    this.#sums[part] += bytes;
  }

  /** Times a task whose parts this meter measures. */
  async timesOf(work: () => Promise<void>): Promise<TaskTimes> {
    Object.assign(this.#sums, NO_PARTS);
    const [start, cpu] = [performance.now(), cpuMsNow()];
    await work();
    const [wallMs, cpuMs] = [performance.now() - start, cpuMsNow() - cpu];
    return {wallMs, cpuMs, ...this.#sums, callingThreadMs: 0, callingThreadBusyMs: 0};
  }
}

function cpuMsNow(): number {
  const hasThreadClock = typeof process.threadCpuUsage === 'function';
  const {user, system} = hasThreadClock ? process.threadCpuUsage() : process.cpuUsage();
  return (user + system) / 1000;
}

const NO_TIMES: TaskTimes = {wallMs: 0, cpuMs: 0, ...NO_PARTS, callingThreadMs: 0, callingThreadBusyMs: 0};

/** Adds up the tasks of a stage. */
export class StageClock {
  readonly #stage: StageTimes['stage'];
  readonly #start = performance.now();
  #tasks = 0;
  #sum = NO_TIMES;

  constructor(stage: StageTimes['stage']) {
    this.#stage = stage;
  }

  add(times: TaskTimes): void {
    this.#tasks++;
    this.#sum = addTimes(this.#sum, times);
  }

  end(): StageTimes {
    const {wallMs: taskMs, ...sum} = this.#sum;
    return {stage: this.#stage, tasks: this.#tasks, ...sum, taskMs, wallMs: performance.now() - this.#start};
  }
}

function addTimes(one: TaskTimes, other: TaskTimes): TaskTimes {
  return {
    wallMs: one.wallMs + other.wallMs,
    cpuMs: one.cpuMs + other.cpuMs,
    inputMs: one.inputMs + other.inputMs,
    readMs: one.readMs + other.readMs,
    writeMs: one.writeMs + other.writeMs,
    readBytes: one.readBytes + other.readBytes,
    writtenBytes: one.writtenBytes + other.writtenBytes,
    clusterMs: one.clusterMs + other.clusterMs,
    callingThreadMs: one.callingThreadMs + other.callingThreadMs,
    callingThreadBusyMs: one.callingThreadBusyMs + other.callingThreadBusyMs,
  };
}
