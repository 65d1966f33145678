import {randomUUID} from 'node:crypto';
import type {Store} from './store/store.ts';
import {FORMAT, ScaleOutError, taskName, type RunPlan, type RunRequest, type Task} from './run.ts';

/** Sections of a file are arrays of one type, one after another. A marker tells their lengths. */
export interface Marker<Facts> {
  /** The folder of the attempt that won. */
  readonly attempt: string;
  readonly facts: Facts;
  /** Bytes written. */
  readonly bytes: number;
}

/**
 * The files of a run: `<name>/run.json`, `<name>/done/<task>.json` and `<name>/data/<task>/<attempt>`.
 *
 * A task writes files below its own attempt, then its marker. A task whose marker exists is done. Two attempts write
 * different files with equal contents, and the marker names one of them. So no file needs to be locked, renamed or
 * written on a condition, and what a killed attempt has left is never read.
 */
export class RunFiles {
  readonly store: Store;
  readonly name: string;
  #request: RunRequest | undefined;
  readonly #markers = new Map<string, Marker<unknown>>();

  constructor(store: Store, name: string) {
    this.store = store;
    this.name = name;
  }

  async saveRequest(request: RunRequest): Promise<void> {
    await this.store.write(`${this.name}/run.json`, [encode(request)]);
  }

  /** What was asked, or undefined if there is no such run. */
  async tryRequest(): Promise<RunRequest | undefined> {
    const bytes = await this.store.read(`${this.name}/run.json`);
    return bytes === undefined ? undefined : JSON.parse(textOf(bytes));
  }

  /** @throws ScaleOutError  if there is no such run, or another version wrote it */
  async request(): Promise<RunRequest> {
    if (this.#request !== undefined) return this.#request;
    const request = await this.tryRequest();
    if (request === undefined) throw new ScaleOutError('NO_RUN', `${this.store.url} has no run ${this.name}`);
    if (request.format !== FORMAT) {
      throw new ScaleOutError(
        'OTHER_VERSION',
        `run ${this.name} has format ${request.format}; expected ${FORMAT}: run workers and client of one version`,
      );
    }
    this.#request = request;
    return request;
  }

  async plan(): Promise<RunPlan> {
    return this.facts<RunPlan>({kind: 'plan', index: 0});
  }

  async isDone(task: Task): Promise<boolean> {
    return (await this.#marker(task)) !== undefined;
  }

  /** Names of the tasks that are done. */
  async doneTasks(): Promise<Set<string>> {
    const names = await this.store.list(`${this.name}/done`);
    return new Set(names.map((name) => name.replace(/\.json$/, '')));
  }

  /** What a finished task found. */
  async facts<Facts>(task: Task): Promise<Facts> {
    return (await this.#required<Facts>(task)).facts;
  }

  /** The bytes [start, end) of the file of a finished task. */
  async readData(task: Task, start: number, end: number): Promise<Uint8Array> {
    const {attempt} = await this.#required(task);
    return this.store.readRange(`${this.#folder(task)}/${attempt}`, start, end);
  }

  /** Writes the file of a new attempt, if it has one, then the marker. */
  async finish(
    task: Task,
    facts: unknown,
    parts: readonly ArrayBufferView[] = [],
    attempt: string = randomUUID(),
  ): Promise<void> {
    const bytes = parts.map(({buffer, byteOffset, byteLength}) => new Uint8Array(buffer, byteOffset, byteLength));
    if (parts.length > 0) await this.store.write(`${this.#folder(task)}/${attempt}`, bytes);
    const written = bytes.reduce((sum, {length}) => sum + length, 0);
    const marker: Marker<unknown> = {attempt, facts, bytes: written};
    await this.store.write(`${this.name}/done/${taskName(task)}.json`, [encode(marker)]);
  }

  /** Writes one of several files of an attempt, before its marker. */
  async writePiece(task: Task, attempt: string, piece: number, bytes: ArrayBufferView): Promise<void> {
    const {buffer, byteOffset, byteLength} = bytes;
    const part = new Uint8Array(buffer, byteOffset, byteLength);
    await this.store.write(`${this.#folder(task)}/${attempt}.${piece}`, [part]);
  }

  async readPiece(task: Task, piece: number, start: number, end: number): Promise<Uint8Array> {
    const {attempt} = await this.#required(task);
    return this.store.readRange(`${this.#folder(task)}/${attempt}.${piece}`, start, end);
  }

  /** Removes the files of finished tasks of a kind. Their markers stay. */
  async removeData(task: Task): Promise<void> {
    await this.store.remove(this.#folder(task));
  }

  #folder(task: Task): string {
    return `${this.name}/data/${taskName(task)}`;
  }

  async #required<Facts = unknown>(task: Task): Promise<Marker<Facts>> {
    const marker = await this.#marker(task);
    if (marker === undefined) throw new Error(`task ${taskName(task)} of run ${this.name} is not done`);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the kind of the task determines its facts
    return marker as Marker<Facts>;
  }

  async #marker(task: Task): Promise<Marker<unknown> | undefined> {
    const name = taskName(task);
    const known = this.#markers.get(name);
    if (known !== undefined) return known;
    const bytes = await this.store.read(`${this.name}/done/${name}.json`);
    if (bytes === undefined) return undefined;
    const marker: Marker<unknown> = JSON.parse(textOf(bytes));
    this.#markers.set(name, marker);
    return marker;
  }
}

/** JSON has no infinity, and plans have none. */
function encode(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}
