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
      const before = this.#stages.get(name);
      this.#stages.set(name, {
        name,
        wallMs: (before?.wallMs ?? 0) + wallMs,
        taskMs: (before?.taskMs ?? 0) + (this.#tasks === 0 ? wallMs : this.#taskMs),
        tasks: (before?.tasks ?? 0) + this.#tasks,
        readBytes: (before?.readBytes ?? 0) + now.read - bytes.read,
        writtenBytes: (before?.writtenBytes ?? 0) + now.written - bytes.written,
      });
      this.#onLine(`${name}: ${(wallMs / 1000).toFixed(1)} s`);
    }
    [this.#open, this.#taskMs, this.#tasks] = [undefined, 0, 0];
    return [...this.#stages.values()];
  }
}
