/** What a stage of a run took. */
export interface StageMeasure {
  readonly name: string;
  /** From its first task to its last. */
  readonly wallMs: number;
  /** Sum over its tasks. Of a stage without tasks: its wall time. */
  readonly taskMs: number;
  /** 0 of a stage without tasks. */
  readonly tasks: number;
  readonly readBytes: number;
  readonly writtenBytes: number;
}

interface Bytes {
  readonly read: number;
  readonly written: number;
}

/** Times the stages of a run, one after another. A stage of the same name adds to the one before. */
export class StageClock {
  readonly #bytesNow: () => Bytes;
  readonly #onLine: (line: string) => void;
  readonly #stages = new Map<string, StageMeasure>();
  #open: {readonly name: string; readonly at: number; readonly bytes: Bytes} | undefined;
  #taskMs = 0;
  #tasks = 0;

  constructor(bytesNow: () => Bytes, onLine: (line: string) => void) {
    this.#bytesNow = bytesNow;
    this.#onLine = onLine;
  }

  /** Ends the stage before. Does nothing if the stage is the current one. */
  begin(name: string): void {
    if (this.#open?.name === name) return;
    this.end();
    this.#open = {name, at: performance.now(), bytes: this.#bytesNow()};
  }

  /** Adds a task to the current stage. */
  addTask(wallMs: number): void {
    this.#taskMs += wallMs;
    this.#tasks++;
  }

  /** @returns all stages in their order */
  end(): StageMeasure[] {
    if (this.#open !== undefined) {
      const {name, at, bytes} = this.#open;
      const [wallMs, now] = [performance.now() - at, this.#bytesNow()];
      const [readBytes, writtenBytes] = [now.read - bytes.read, now.written - bytes.written];
      const taskMs = this.#tasks === 0 ? wallMs : this.#taskMs;
      const stage = {name, wallMs, taskMs, tasks: this.#tasks, readBytes, writtenBytes};
      const before = this.#stages.get(name);
      this.#stages.set(name, before === undefined ? stage : addStages(before, stage));
      this.#onLine(`${name}: ${(wallMs / 1000).toFixed(1)} s`);
    }
    [this.#open, this.#taskMs, this.#tasks] = [undefined, 0, 0];
    return [...this.#stages.values()];
  }
}

/** Both, under the name of the first. */
export function addStages(one: StageMeasure, other: StageMeasure): StageMeasure {
  return {
    name: one.name,
    wallMs: one.wallMs + other.wallMs,
    taskMs: one.taskMs + other.taskMs,
    tasks: one.tasks + other.tasks,
    readBytes: one.readBytes + other.readBytes,
    writtenBytes: one.writtenBytes + other.writtenBytes,
  };
}
