import {createProgressBar} from '@epsball/cli/command';

/** The line at the bottom of a terminal: cells that ran, times, and what runs now. Elsewhere nothing is written. */
export class BenchProgress {
  readonly #startedAt = performance.now();
  readonly #bar: ReturnType<typeof createProgressBar>;
  readonly #total: number;
  readonly #endsAt: number;
  #ran = 0;
  /** Cells that were left out or kept: they took no time. */
  #others = 0;
  #current = '';

  /** @param mostSeconds  of the whole run */
  constructor(total: number, mostSeconds: number, stream?: NodeJS.WriteStream) {
    this.#total = total;
    this.#endsAt = this.#startedAt + 1000 * mostSeconds;
    this.#bar = createProgressBar(stream);
  }

  get elapsedSeconds(): number {
    return (performance.now() - this.#startedAt) / 1000;
  }

  /** A cell begins. */
  start(name: string): void {
    this.#current = name;
    this.#show();
  }

  /** A cell ended. */
  finish(ran: boolean): void {
    if (ran) this.#ran++;
    else this.#others++;
    this.#show();
  }

  /** Writes a line of output above the bar. */
  writeAbove(write: () => void): void {
    this.#bar.clear();
    write();
    this.#show();
  }

  end(): void {
    this.#bar.clear();
  }

  #show(): void {
    const total = this.#total - this.#others;
    const cells = `${this.#ran + this.#others}/${this.#total}`;
    this.#bar.update({
      phase: 'cells',
      done: this.#ran,
      total,
      detail: `${cells}  ${this.#current}`,
      endsAt: this.#endsAt,
    });
  }
}
