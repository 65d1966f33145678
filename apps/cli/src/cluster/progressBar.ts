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

/** Progress, and what else the line says. */
export interface BarProgress extends Progress {
  /** Behind the percentage. Default: nothing. */
  readonly detail?: string;
}

/**
 * One line on stderr that is redrawn. If stderr is not a terminal, nothing is written.
 *
 * @clack/prompts does not fit: its spinner puts the keyboard into raw mode, and on Ctrl-C it ends the process with exit
 * code 0 while the device is open.
 *
 * From two seconds on the line ends with the time of the run, and the time that the phase will still take at its rate.
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
  let phase: {readonly name: string; readonly startedAt: number} | undefined;
  let last: BarProgress = {phase: '', done: 0, total: 0};
  let next: NodeJS.Timeout | undefined;
  const timesOf = ({done, total}: BarProgress): string => {
    const now = performance.now();
    const elapsed = now - startedAt;
    if (elapsed < TIMES_AFTER_MS) return '';
    const share = total > 0 ? done / total : 0;
    // The rate of this phase alone: others have their own.
    const left = share > 0 && share < 1 && phase !== undefined ? ((now - phase.startedAt) * (1 - share)) / share : 0;
    return `  ${formatSpan(elapsed)}${left > 0 ? `, ${formatSpan(left)} left` : ''}`;
  };
  const drawAfter = (ms: number): void => {
    clearTimeout(next);
    next = setTimeout(draw, ms).unref();
  };
  const draw = (): void => {
    drawAfter(TICK_MS);
    drawnAt = performance.now();
    drawnPhase = last.phase;
    stream.write(`\r\u001B[2K${formatProgress(last)}${timesOf(last)}`);
  };
  return {
    update: (progress) => {
      const now = performance.now();
      last = progress;
      if (progress.phase !== phase?.name) phase = {name: progress.phase, startedAt: now};
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

/** `route     ████████░░░░  63 %  5 of 8 tasks`; only the phase if the total is unknown. */
function formatProgress({phase, done, total, detail}: BarProgress): string {
  if (total <= 0) return phase;
  const share = Math.min(1, Math.max(0, done / total));
  const full = Math.round(share * BAR_WIDTH);
  return `${phase.padEnd(8)}  ${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)}  ${Math.floor(share * 100)} %${detail === undefined ? '' : `  ${detail}`}`;
}

/** `9 s`, `4:07`, `1:02:03`: whole seconds, because the line changes often. */
function formatSpan(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = String(seconds % 60).padStart(2, '0');
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${String(minutes).padStart(2, '0')}:${rest}`;
}
