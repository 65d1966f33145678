/** What a stage of a run took. */
export interface StageMeasure {
  readonly name: string;
  /** From its first task to its last. */
  readonly wallMs: number;
  /** Sum over its tasks. Of a stage without tasks: its wall time. */
  readonly taskMs: number;
  /** CPU time of the process, its threads included. */
  readonly cpuMs: number;
  /** 0 of a stage without tasks. */
  readonly tasks: number;
  readonly readBytes: number;
  readonly writtenBytes: number;
}

interface Usage {
  readonly read: number;
  readonly written: number;
  readonly cpuMs: number;
}

/** Times the stages of a run, one after another. A stage of the same name adds to the one before. */
export class StageClock {
  readonly #usageNow: () => Usage;
  readonly #onLine: (line: string) => void;
  readonly #stages = new Map<string, StageMeasure>();
  #open: {readonly name: string; readonly at: number; readonly usage: Usage} | undefined;
  #taskMs = 0;
  #tasks = 0;

  constructor(usageNow: () => Usage, onLine: (line: string) => void) {
    this.#usageNow = usageNow;
    this.#onLine = onLine;
  }

  /** Ends the stage before. Does nothing if the stage is the current one. */
  begin(name: string): void {
    if (this.#open?.name === name) return;
    this.end();
    this.#open = {name, at: performance.now(), usage: this.#usageNow()};
  }

  /** Adds a task to the current stage. */
  addTask(wallMs: number): void {
    this.#taskMs += wallMs;
    this.#tasks++;
  }

  /** @returns all stages in their order */
  end(): StageMeasure[] {
    if (this.#open !== undefined) {
      const {name, at, usage} = this.#open;
      const [wallMs, now] = [performance.now() - at, this.#usageNow()];
      const stage = {
        name,
        wallMs,
        taskMs: this.#tasks === 0 ? wallMs : this.#taskMs,
        cpuMs: now.cpuMs - usage.cpuMs,
        tasks: this.#tasks,
        readBytes: now.read - usage.read,
        writtenBytes: now.written - usage.written,
      };
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
    cpuMs: one.cpuMs + other.cpuMs,
    tasks: one.tasks + other.tasks,
    readBytes: one.readBytes + other.readBytes,
    writtenBytes: one.writtenBytes + other.writtenBytes,
  };
}
