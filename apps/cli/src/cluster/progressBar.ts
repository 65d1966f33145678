import type {Progress} from '@epsball/clustering';
import {codeOf} from '../errors.ts';
import {STANDARD_OUTPUT} from '../options.ts';

const BAR_WIDTH = 24;
/** A run that ends sooner shows no bar, which would only flicker. */
const SHOW_AFTER_MS = 400;
/** From here on the line says how long the run has taken, and how long its phase will still take. */
const TIMES_AFTER_MS = 2000;
/** Least time between two drawings of one phase. */
const REDRAW_MS = 60;
/** The line is drawn again after this time without a report, because the time of the run has changed. */
const TICK_MS = 1000;
/** A rate is known after this time. */
const RATE_MS = 1000;
/** Where the terminal does not tell. */
const COLUMNS = 80;

/** Progress, and what else the line says. */
export interface BarProgress extends Progress {
  /** Behind the percentage. Default: nothing. */
  readonly detail?: string;
  /** When all work ends at the latest, by `performance.now()`. Default: unknown. */
  readonly endsAt?: number;
}

/** How fast a phase proceeds. */
class Pace {
  readonly phase: string;
  readonly #startedAt = performance.now();
  /** What was done before: it tells no rate. */
  readonly #before: number;
  #last: Progress;
  #lastAt: number = this.#startedAt;

  constructor(first: Progress) {
    this.phase = first.phase;
    this.#before = first.done;
    this.#last = first;
  }

  /** Whether the report goes on with this phase: its work has not begun again. */
  take(progress: Progress): boolean {
    const {phase, done, total} = this.#last;
    if (progress.phase !== phase || progress.done < done || (total === 0 && progress.total > 0)) return false;
    if (progress.done > done) this.#lastAt = performance.now();
    this.#last = progress;
    return true;
  }

  /** Milliseconds that the phase still takes; undefined where no rate is known. */
  left(): number | undefined {
    const {done, total} = this.#last;
    const [measured, made, now] = [this.#lastAt - this.#startedAt, done - this.#before, performance.now()];
    if (measured < RATE_MS || made <= 0 || done >= total) return undefined;
    const perItem = measured / made;
    const expected = perItem * (total - done) - (now - this.#lastAt);
    // Work that is overdue is slower than it was.
    return expected > 0 ? expected : ((now - this.#startedAt) / made) * (total - done);
  }
}

/**
 * One line on stderr that is redrawn. If stderr is not a terminal, nothing is written.
 *
 * @clack/prompts does not fit: its spinner puts the keyboard into raw mode, and on Ctrl-C it ends the process with exit
 * code 0 while the device is open.
 *
 * From two seconds on the line ends with the time of the run, and the time that the phase will still take at its rate,
 * once that has been measured for a second.
 *
 * Work that reports nothing has the time of the run alone, as long as it does not block this thread.
 *
 * @returns  `update` shows the progress of a phase, with a total of 0 only its name; `clear` clears the line
 */
export function createProgressBar(stream: NodeJS.WriteStream = process.stderr): {
  readonly update: (progress: BarProgress) => void;
  readonly clear: () => void;
} {
  if (!stream.isTTY) return {update: () => {}, clear: () => {}};
  const startedAt = performance.now();
  let drawnAt = -Infinity;
  let drawnPhase: string | undefined;
  let last: BarProgress = {phase: '', done: 0, total: 0};
  let pace = new Pace(last);
  let next: NodeJS.Timeout | undefined;
  const times = (): string => {
    const now = performance.now();
    if (now - startedAt < TIMES_AFTER_MS) return '';
    const {endsAt = Infinity} = last;
    const left = pace.left();
    const known = left === undefined ? '' : `, ${formatSpan(Math.min(left, Math.max(0, endsAt - now)))} left`;
    return `  ${formatSpan(now - startedAt)}${known}`;
  };
  const drawAfter = (ms: number): void => {
    clearTimeout(next);
    next = setTimeout(draw, ms).unref();
  };
  const draw = (): void => {
    drawAfter(TICK_MS);
    drawnAt = performance.now();
    drawnPhase = last.phase;
    stream.write(`\r\u001B[2K${formatProgress(last, times(), (stream.columns ?? COLUMNS) - 1)}`);
  };
  return {
    update: (progress) => {
      const now = performance.now();
      last = progress;
      if (!pace.take(progress)) pace = new Pace(progress);
      if (now - startedAt < SHOW_AFTER_MS) {
        // The next report may come much later.
        drawAfter(startedAt + SHOW_AFTER_MS - now);
        return;
      }
      // The end of a phase is shown however soon it comes.
      const isEnd = progress.total > 0 && progress.done === progress.total;
      if (progress.phase !== drawnPhase || isEnd || now - drawnAt >= REDRAW_MS) draw();
    },
    clear: () => {
      clearTimeout(next);
      if (drawnPhase !== undefined) stream.write('\r\u001B[2K');
      drawnPhase = undefined;
    },
  };
}

/** Does work with a line of progress, which ends with it. @param phase  what the line says before the first report */
export async function withProgress<Result>(
  phase: string,
  work: (update: (progress: BarProgress) => void) => Result | Promise<Result>,
): Promise<Result> {
  const bar = createProgressBar();
  bar.update({phase, done: 0, total: 0});
  try {
    return await work(bar.update);
  } finally {
    bar.clear();
  }
}

/**
 * Writes files with a line of progress, unless one of them is standard output, which may be the same terminal. Its
 * reader may stop before the end, as `head` does.
 */
export async function whileWriting(
  outputs: readonly (string | undefined)[],
  write: (update: (progress: BarProgress) => void) => Promise<void>,
): Promise<void> {
  if (!outputs.includes(STANDARD_OUTPUT)) return withProgress('write', write);
  try {
    await write(() => {});
  } catch (error) {
    if (!(error instanceof Error && codeOf(error.cause) === 'EPIPE')) throw error;
  }
}

/** `route     ████████░░░░  63 %  5 of 8 tasks  9 s, 5 s left`; no share if the total is unknown. */
function formatProgress({phase, done, total, detail = ''}: BarProgress, times: string, columns: number): string {
  const share = Math.min(1, Math.max(0, done / total));
  const [head, percent] = total > 0 ? [`${phase.padEnd(8)}  `, `  ${Math.floor(share * 100)} %`] : [phase, ''];
  // A line that the terminal breaks could not be wiped. First the bar gives way, then the detail.
  const room = Math.max(0, columns - head.length - percent.length - times.length);
  const more = (detail === '' ? '' : `  ${detail}`).slice(0, room);
  const width = total > 0 ? Math.min(BAR_WIDTH, room - more.length) : 0;
  const full = Math.round(share * width);
  return `${head}${'█'.repeat(full)}${'░'.repeat(width - full)}${percent}${more}${times}`;
}

/** `9 s`, `4:07`, `1:02:03`: whole seconds, because the line changes often. */
export function formatSpan(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = String(seconds % 60).padStart(2, '0');
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${String(minutes).padStart(2, '0')}:${rest}`;
}
