const BAR_WIDTH = 24;

/**
 * The line at the bottom of a terminal: bar, cells, what runs now, time to go. Elsewhere nothing is written. The time
 * to go is that of the cells so far, scaled, so it is rough where sizes grow.
 */
export class BenchProgress {
  readonly #stream: NodeJS.WriteStream;
  readonly #startedAt = performance.now();
  readonly #total: number;
  #done = 0;
  /** Cells that ran: those that were left out or kept took no time. */
  #ran = 0;
  #current = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(total: number, stream: NodeJS.WriteStream = process.stderr) {
    this.#total = total;
    this.#stream = stream;
    if (stream.isTTY) this.#timer = setInterval(() => this.#draw(), 1000).unref();
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
    const line = progressLine(this.#done, this.#total, this.#secondsToGo(), this.#current);
    this.#stream.write(`\r\u001B[2K${line.slice(0, Math.max(20, this.#stream.columns - 1))}`);
  }

  #clear(): void {
    if (this.#stream.isTTY) this.#stream.write('\r\u001B[2K');
  }

  #secondsToGo(): number | null {
    if (this.#ran === 0) return null;
    const perCell = (performance.now() - this.#startedAt) / 1000 / this.#ran;
    return perCell * Math.max(0, this.#total - this.#done);
  }
}

/** `██████░░░░  12/40  1:20 to go  dclust/gpu on gaussians`; exported for tests. */
export function progressLine(done: number, total: number, secondsToGo: number | null, current: string): string {
  const full = Math.round((Math.min(done, total) / total) * BAR_WIDTH);
  const bar = '█'.repeat(full) + '░'.repeat(BAR_WIDTH - full);
  const rest = secondsToGo === null ? '' : `  ${clockText(secondsToGo)} to go`;
  return `${bar}  ${Math.min(done, total)}/${total}${rest}  ${current}`;
}

function clockText(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  const rest = String(whole % 60).padStart(2, '0');
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${String(minutes).padStart(2, '0')}:${rest}`;
}
