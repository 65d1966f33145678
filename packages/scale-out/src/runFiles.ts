import {randomUUID} from 'node:crypto';
import {identityOf} from './requestIdentity.ts';
import {FORMAT, ScaleOutError, taskName, type RunPlan, type RunRequest, type Task} from './run.ts';
import {blocksOf, decodeSealed, encodeSealed, isIntact, sealFile, type FileSeal} from './seal.ts';
import {DamagedFileError, StoreError, type Store} from './store/store.ts';
import {TaskMeter} from './taskTimes.ts';

/** What the marker of a task holds. */
interface Marker<Facts> {
  /** A marker that was copied over another counts for neither. */
  readonly task: string;
  /** Names the files of the attempt that won. */
  readonly attempt: string;
  /** Of `identityOf`: the request that the task served. */
  readonly request: string;
  readonly facts: Facts;
  readonly files: readonly FileSeal[];
}

/** Files that a task wrote before it is finished. */
export interface AttemptFiles {
  readonly attempt: string;
  readonly files: readonly FileSeal[];
}

/**
 * The files of a run: `<name>/run.json`, `<name>/done/<task>.json` and `<name>/data/<task>/<attempt>.<piece>`.
 *
 * A task writes files below its own attempt, then its marker. A task whose marker exists is done. Two attempts write
 * different files with equal contents, and the marker names one of them. So no file of a task needs to be locked,
 * renamed or written on a condition, and what a killed attempt has left is never read.
 *
 * Every file has checksums: a JSON file its own, the others in their marker. A task whose marker or file is missing,
 * cut off or damaged is pending again: the marker is removed, and the reader gets a `DamagedFileError`.
 */
export class RunFiles {
  readonly store: Store;
  readonly name: string;
  /** Measures the task that uses these files. */
  readonly meter: TaskMeter = new TaskMeter();
  #request: RunRequest | undefined;
  #identity: string | undefined;
  readonly #markers = new Map<string, Marker<unknown>>();

  constructor(store: Store, name: string) {
    this.store = store;
    this.name = name;
  }

  /** Makes the request the run's, if there is no run of this name yet. Of several callers, one succeeds. */
  async claim(request: RunRequest): Promise<boolean> {
    return this.store.writeNew(`${this.name}/run.json`, [encodeSealed(request.format, request)]);
  }

  /**
   * What was asked, or undefined if there is no such run.
   *
   * @throws ScaleOutError  if the file is damaged, or another version wrote it
   */
  async tryRequest(): Promise<RunRequest | undefined> {
    const path = `${this.name}/run.json`;
    const bytes = await this.store.read(path);
    if (bytes === undefined) return undefined;
    const found = decodeSealed(FORMAT, bytes);
    if ('damage' in found) {
      const advice = 'remove this file: the call that created the run then continues it';
      throw new ScaleOutError('DAMAGED_RUN', `${this.store.url}/${path} ${found.damage}; ${advice}`);
    }
    if ('otherFormat' in found) {
      const message = `run ${this.name} has format ${found.otherFormat}; expected ${FORMAT}`;
      const advice = 'run workers and client of one version, or begin a run of another name (--run)';
      throw new ScaleOutError('OTHER_VERSION', `${message}: ${advice}`);
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the checksum says that this package wrote it
    return found.content as RunRequest;
  }

  /** @throws ScaleOutError  if there is no such run, its file is damaged, or another version wrote it */
  async request(): Promise<RunRequest> {
    this.#request ??= await this.tryRequest();
    if (this.#request === undefined) throw new ScaleOutError('NO_RUN', `${this.store.url} has no run ${this.name}`);
    return this.#request;
  }

  async plan(): Promise<RunPlan> {
    return this.facts<RunPlan>({kind: 'plan', index: 0});
  }

  async isDone(task: Task): Promise<boolean> {
    try {
      return (await this.#marker(task)) !== undefined;
    } catch (error) {
      if (error instanceof DamagedFileError) return false;
      throw error;
    }
  }

  /** Names of the tasks that have a marker. */
  async doneTasks(): Promise<Set<string>> {
    const names = await this.store.list(`${this.name}/done`);
    return new Set(names.map((name) => name.replace(/\.json$/, '')));
  }

  /**
   * What a finished task found.
   *
   * @throws DamagedFileError  if it is not finished, or its marker is damaged
   */
  async facts<Facts>(task: Task): Promise<Facts> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the kind of the task determines its facts
    return (await this.#required(task)).facts as Facts;
  }

  /**
   * The bytes [start, end) of a file of a finished task.
   *
   * @throws DamagedFileError  if the task is not finished, or the file is not the one that it wrote
   */
  async readData(task: Task, start: number, end: number, piece = 0): Promise<Uint8Array> {
    if (start === end) return new Uint8Array(0);
    const marker = await this.#required(task);
    try {
      this.meter.count('readBytes', end - start);
      return await this.meter.time('readMs', () => this.#readIntact(task, marker, piece, start, end));
    } catch (error) {
      if (!(error instanceof DamagedFileError)) throw error;
      // Another process may have repeated the task since its marker was read.
      this.#markers.delete(taskName(task));
      if ((await this.#required(task)).attempt !== marker.attempt) return this.readData(task, start, end, piece);
      await this.#drop(task);
      throw error;
    }
  }

  /** Writes the file of a new attempt, if it has one, then the marker. */
  async finish(task: Task, facts: unknown, parts: readonly ArrayBufferView[] = []): Promise<void> {
    const attempt = randomUUID();
    const files = parts.length === 0 ? [] : [await this.writePiece(task, attempt, 0, ...parts)];
    await this.finishPieces(task, facts, {attempt, files});
  }

  /** Writes one of several files of an attempt, before its marker. */
  async writePiece(
    task: Task,
    attempt: string,
    piece: number,
    ...parts: readonly ArrayBufferView[]
  ): Promise<FileSeal> {
    const bytes = parts.map(({buffer, byteOffset, byteLength}) => new Uint8Array(buffer, byteOffset, byteLength));
    return this.meter.time('writeMs', async () => {
      await this.store.write(this.#path(task, attempt, piece), bytes);
      const seal = sealFile(bytes);
      this.meter.count('writtenBytes', seal.bytes);
      return seal;
    });
  }

  /** Writes the marker of an attempt whose files are written. */
  async finishPieces(task: Task, facts: unknown, {attempt, files}: AttemptFiles): Promise<void> {
    const marker: Marker<unknown> = {
      task: taskName(task),
      attempt,
      request: await this.#identityOfRequest(),
      facts,
      files,
    };
    const sealed = encodeSealed(FORMAT, marker);
    await this.meter.time('writeMs', () => this.store.write(this.#markerPath(task), [sealed]));
  }

  #path(task: Task, attempt: string, piece: number): string {
    return `${this.name}/data/${taskName(task)}/${attempt}.${piece}`;
  }

  #markerPath(task: Task): string {
    return `${this.name}/done/${taskName(task)}.json`;
  }

  async #identityOfRequest(): Promise<string> {
    return (this.#identity ??= identityOf(await this.request()));
  }

  async #readIntact(
    task: Task,
    {attempt, files}: Marker<unknown>,
    piece: number,
    start: number,
    end: number,
  ): Promise<Uint8Array> {
    const path = this.#path(task, attempt, piece);
    const {from, to} = blocksOf(files[piece], start, end);
    let blocks: Uint8Array;
    try {
      blocks = await this.store.readRange(path, from, to);
    } catch (error) {
      if (!(error instanceof StoreError) || !error.isMissing) throw error;
      throw this.#damaged(path, 'is missing or cut off', error);
    }
    if (!isIntact(files[piece], from, blocks)) throw this.#damaged(path, 'is damaged (its checksum differs)');
    return blocks.subarray(start - from, end - from);
  }

  async #required(task: Task): Promise<Marker<unknown>> {
    const marker = await this.#marker(task);
    if (marker === undefined) throw this.#damaged(this.#markerPath(task), 'is missing');
    return marker;
  }

  /** @throws DamagedFileError  if the marker is damaged; then it is removed */
  async #marker(task: Task): Promise<Marker<unknown> | undefined> {
    const name = taskName(task);
    const known = this.#markers.get(name);
    if (known !== undefined) return known;
    const path = this.#markerPath(task);
    const bytes = await this.store.read(path);
    if (bytes === undefined) return undefined;
    const marker = await this.#unseal(name, bytes);
    if (typeof marker === 'string') {
      await this.#drop(task);
      throw this.#damaged(path, marker);
    }
    this.#markers.set(name, marker);
    return marker;
  }

  /** The marker, or why it is not the one of this task and run. */
  async #unseal(task: string, bytes: Uint8Array): Promise<Marker<unknown> | string> {
    const found = decodeSealed(FORMAT, bytes);
    if ('damage' in found) return found.damage;
    if ('otherFormat' in found) return `has format ${found.otherFormat}`;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the checksum says that this package wrote it
    const marker = found.content as Marker<unknown>;
    if (marker.request !== (await this.#identityOfRequest())) return 'is of another run';
    return marker.task === task ? marker : 'is of another task';
  }

  /** Makes a task pending. */
  async #drop(task: Task): Promise<void> {
    this.#markers.delete(taskName(task));
    await this.store.remove(this.#markerPath(task));
  }

  #damaged(path: string, damage: string, cause?: Error): DamagedFileError {
    return new DamagedFileError(`${this.store.url}/${path}`, damage, {cause});
  }
}
