import {eventLoop} from '../eventLoop.ts';
import {RunQueue} from '../runQueue.ts';
import {BACKENDS, type Backend} from './variantRow.ts';
import {RUNNER_OPTIONS, type RunnerOptions} from './variantRun.ts';

/** A front door that calls with equal options share. */
interface Shared<Door> {
  readonly name: string;
  readonly options: RunnerOptions<unknown>;
  readonly door: Door;
  calls: number;
}

/** The instance that has the turn on a backend. */
interface Holder {
  readonly owner: object;
  readonly key: string;
  readonly release: () => void;
}

const FIELDS = RUNNER_OPTIONS.filter((name) => name !== 'options');

/**
 * What the one-shot calls of this thread share. Concurrent calls with equal options use one front door, so one device
 * and one pool of threads. On each backend runs come one after another, and only the instance whose turn it is holds
 * threads or pipelines: however many calls there are, there is one pool.
 */
class OneShots {
  readonly #shared: Shared<{destroy(): void}>[] = [];
  readonly #queues: Readonly<Record<Backend, RunQueue>>;
  readonly #holders: Partial<Record<Backend, Holder>> = {};

  constructor() {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one entry for each backend
    this.#queues = Object.fromEntries(BACKENDS.map((one) => [one, new RunQueue()])) as Record<Backend, RunQueue>;
  }

  /**
   * Runs one call of a front door. `create` gets the `RunnerOptions` if no call with equal ones is under way; the
   * result is destroyed after the last of them.
   */
  async call<Options extends RunnerOptions<unknown>, Door extends {destroy(): void}, Result>(
    name: string,
    options: Options,
    create: (options: Pick<Options, keyof RunnerOptions<unknown>>) => Door,
    run: (door: Door) => Promise<Result>,
  ): Promise<Result> {
    const shared = this.#share(name, options, create);
    shared.calls++;
    try {
      if (eventLoop.isDue()) await eventLoop.turn();
      return await run(shared.door);
    } finally {
      if (--shared.calls === 0) {
        this.#shared.splice(this.#shared.indexOf(shared), 1);
        shared.door.destroy();
      }
    }
  }

  /**
   * Runs on a backend when all earlier runs there have ended.
   *
   * @throws RunAbortedError  if the signal has fired before
   */
  turn<Result>(
    backend: Backend,
    holder: Holder,
    run: () => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    return this.#queues[backend].add(async () => {
      if (eventLoop.isDue()) await eventLoop.turn();
      const last = this.#holders[backend];
      if (last !== undefined && !(last.owner === holder.owner && last.key === holder.key)) last.release();
      this.#holders[backend] = holder;
      return run();
    }, signal);
  }

  forget(owner: object): void {
    for (const backend of BACKENDS) if (this.#holders[backend]?.owner === owner) delete this.#holders[backend];
  }

  #share<Options extends RunnerOptions<unknown>, Door extends {destroy(): void}>(
    name: string,
    given: Options,
    create: (options: Pick<Options, keyof RunnerOptions<unknown>>) => Door,
  ): Shared<Door> {
    const same = this.#shared.find((one) => one.name === name && areEqual(one.options, given));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a name stands for one class of front doors
    if (same !== undefined) return same as Shared<Door>;
    const {algorithm, backend, adapter, device, gpu, threads, options: ofVariant} = given;
    // A copy: the caller may change its object while calls are under way.
    const options = isRecord(ofVariant) ? {...ofVariant} : ofVariant;
    const own = {algorithm, backend, adapter, device, gpu, threads, options};
    const shared = {name, options: own, door: create(own), calls: 0};
    this.#shared.push(shared);
    return shared;
  }
}

export const oneShots: OneShots = new OneShots();

function areEqual(a: RunnerOptions<unknown>, b: RunnerOptions<unknown>): boolean {
  return FIELDS.every((field) => a[field] === b[field]) && haveEqualValues(a.options, b.options);
}

function haveEqualValues(a: unknown, b: unknown): boolean {
  if (!isRecord(a) || !isRecord(b)) return a === b;
  return Object.keys({...a, ...b}).every((name) => a[name] === b[name]);
}

/** Callers without types may give anything. */
function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
