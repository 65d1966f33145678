const BAR_WIDTH = 20;

/**
 * The line at the bottom of a terminal: bar, time that has passed, time to go, what runs now. Elsewhere nothing is
 * written. The time to go is that of the cells so far, scaled, and at most what the run allows.
 */
export class BenchProgress {
  readonly #stream: NodeJS.WriteStream;
  readonly #startedAt = performance.now();
  readonly #total: number;
  readonly #mostSeconds: number;
  #done = 0;
  /** Cells that ran: those that were left out or kept took no time. */
  #ran = 0;
  #current = '';
  #timer: NodeJS.Timeout | undefined;

  /** @param mostSeconds  of the whole run */
  constructor(total: number, mostSeconds: number, stream: NodeJS.WriteStream = process.stderr) {
    this.#total = total;
    this.#mostSeconds = mostSeconds;
    this.#stream = stream;
    if (stream.isTTY) this.#timer = setInterval(() => this.#draw(), 1000).unref();
  }

  get elapsedSeconds(): number {
    return (performance.now() - this.#startedAt) / 1000;
  }

  /** A cell begins. */
  start(name: string): void {
    this.#current = name;
    this.#draw();
  }

  /** A cell ended. */
  finish(ran: boolean): void {
    this.#done++;
    if (ran) this.#ran++;
    this.#draw();
  }

  /** Writes a line of output above the bar. */
  writeAbove(write: () => void): void {
    this.#clear();
    write();
    this.#draw();
  }

  end(): void {
    clearInterval(this.#timer);
    this.#clear();
    this.#timer = undefined;
  }

  #draw(): void {
    if (!this.#stream.isTTY || this.#timer === undefined || this.#total === 0) return;
    const line = progressLine(this.#done, this.#total, this.elapsedSeconds, this.#secondsToGo(), this.#current);
    this.#stream.write(`\r\u001B[2K${line.slice(0, Math.max(20, this.#stream.columns - 1))}`);
  }

  #clear(): void {
    if (this.#stream.isTTY) this.#stream.write('\r\u001B[2K');
  }

  #secondsToGo(): number {
    const most = Math.max(0, this.#mostSeconds - this.elapsedSeconds);
    if (this.#ran === 0) return most;
    return Math.min(most, (this.elapsedSeconds / this.#ran) * Math.max(0, this.#total - this.#done));
  }
}

/** `██████░░░░  12/40  0:40, 1:20 to go  dclust/gpu on gaussians`; exported for tests. */
export function progressLine(done: number, total: number, elapsed: number, toGo: number, current: string): string {
  const full = Math.round((Math.min(done, total) / total) * BAR_WIDTH);
  const bar = '█'.repeat(full) + '░'.repeat(BAR_WIDTH - full);
  const rest = Number.isFinite(toGo) ? `, ${clockText(toGo)} to go` : '';
  return `${bar}  ${Math.min(done, total)}/${total}  ${clockText(elapsed)}${rest}  ${current}`;
}

/** `1:20`, `1:02:03` */
export function clockText(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  const rest = String(whole % 60).padStart(2, '0');
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${String(minutes).padStart(2, '0')}:${rest}`;
}
