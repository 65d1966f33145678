import {fork, type ChildProcess, type ForkOptions} from 'node:child_process';
import {once} from 'node:events';
import {EXTENSION, SOURCE_OPTIONS} from '@epsball/clustering/node';
import {unpackError, type CarriedError} from '../carriedError.ts';
import {ScaleOutError, taskName, type Task} from '../run.ts';
import type {RunFiles} from '../runFiles.ts';
import type {RunnerOptions, TaskRunner} from '../taskRunner.ts';
import type {TaskTimes} from '../taskTimes.ts';

/** Restricts a process to one GPU, because WebGPU cannot distinguish identical GPUs of a host. */
export interface GpuPlace {
  /** Variables of its environment, beside those of this process. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** A command that runs the command behind it, such as `unshare`. */
  readonly command?: readonly string[] | undefined;
}

/** Returns the options of `fork` that restrict a process to a GPU. */
export function forkOptionsAt({env, command = []}: GpuPlace): ForkOptions & {env: NodeJS.ProcessEnv} {
  const [execPath, ...execArgv] = [...command, process.execPath, ...(SOURCE_OPTIONS.execArgv ?? [])];
  return {execPath, execArgv, env: {...process.env, ...env}};
}

/** The argument of a process: its run and the options of its runner. */
export interface ProcessSetup extends Omit<RunnerOptions, 'onPart'> {
  readonly work: string;
  readonly name: string;
}

export interface ProcessOrder {
  readonly id: number;
  readonly task: Task;
}

export type ProcessReply = {readonly id: number} & ({readonly times: TaskTimes} | {readonly failure: CarriedError});

/** Attempts per task whose process dies. Without a limit, a task that always kills its process never fails. */
const DEATHS_MAX = 3;

/** Runs each task in the least loaded process. Each GPU has one process. */
export class GpuProcesses implements TaskRunner {
  readonly #processes: readonly GpuProcess[];
  readonly #signal: AbortSignal;
  readonly #kill = (): void => this.#processes.forEach((process) => process.kill());

  /** @param options  of all processes together: each runs its share of the tasks at a time */
  constructor(files: RunFiles, places: readonly GpuPlace[], options: RunnerOptions, signal: AbortSignal) {
    const setup: ProcessSetup = {
      work: files.store.url,
      name: files.name,
      concurrency: Math.ceil(options.concurrency / places.length),
      tile: {...options.tile, backend: 'gpu'},
    };
    this.#processes = places.map((place) => new GpuProcess(place, setup));
    this.#signal = signal;
    signal.addEventListener('abort', this.#kill);
  }

  async run(task: Task): Promise<TaskTimes> {
    for (let deaths = 1; ; deaths++) {
      const process = this.#processes.reduce((least, one) => (one.taskCount < least.taskCount ? one : least));
      const reply = await process.run(task);
      this.#signal.throwIfAborted();
      if (typeof reply !== 'string') {
        if ('times' in reply) return reply.times;
        throw unpackError(reply.failure);
      }
      if (deaths < DEATHS_MAX) continue;
      const what = `${deaths} times in ${taskName(task)} (${reply})`;
      throw new ScaleOutError('RUN_FAILED', `the process of a GPU ended ${what}`);
    }
  }

  async close(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#kill);
    await Promise.all(this.#processes.map((process) => process.close()));
  }
}

/** The process of one GPU. The first task starts it. If it dies, the next task starts it again. */
class GpuProcess {
  readonly #place: GpuPlace;
  readonly #setup: ProcessSetup;
  readonly #waiting = new Map<number, (reply: ProcessReply | string) => void>();
  #child: ChildProcess | undefined;
  #nextId = 0;

  constructor(place: GpuPlace, setup: ProcessSetup) {
    this.#place = place;
    this.#setup = setup;
  }

  get taskCount(): number {
    return this.#waiting.size;
  }

  /** @returns the reply of the process, or how it ended */
  run(task: Task): Promise<ProcessReply | string> {
    const child = (this.#child ??= this.#start());
    const order: ProcessOrder = {id: this.#nextId++, task};
    return new Promise((resolve) => {
      this.#waiting.set(order.id, resolve);
      // A send to a process that has exited fails. The exit event settles its order.
      child.send(order, () => undefined);
    });
  }

  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const ended = once(child, 'exit');
    if (child.connected) child.disconnect();
    await ended;
  }

  #start(): ChildProcess {
    const module = new URL(`./gpuProcess.${EXTENSION}`, import.meta.url);
    const child = fork(module, [JSON.stringify(this.#setup)], {
      ...forkOptionsAt(this.#place),
      // Drivers print to standard output, which belongs to the calling command.
      stdio: ['ignore', process.stderr.fd, process.stderr.fd, 'ipc'],
    });
    child.on('message', (reply: ProcessReply) => this.#settle(reply.id, reply));
    const end = (how: string): void => {
      if (this.#child === child) this.#child = undefined;
      for (const id of this.#waiting.keys()) this.#settle(id, how);
    };
    child.once('error', (error) => end(error.message));
    child.once('exit', (code, killedBy) => end(killedBy ?? `exit code ${code}`));
    return child;
  }

  #settle(id: number, reply: ProcessReply | string): void {
    const resolve = this.#waiting.get(id);
    this.#waiting.delete(id);
    resolve?.(reply);
  }
}
