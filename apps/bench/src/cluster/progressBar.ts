import type {Progress} from '@epsball/clustering';

const BAR_WIDTH = 24;
/** Runs that end sooner never show a bar: it would only flicker. */
const SHOW_AFTER_MS = 400;
/** A terminal is redrawn no more often than this, but for a new phase. */
const REDRAW_MS = 60;

export interface ProgressBar {
  /** Shows how far a phase is; where the total is 0, its name alone. */
  readonly update: (progress: Progress) => void;
  /** Wipes the line. */
  readonly clear: () => void;
}

/**
 * One line on stderr that redraws itself, and nothing at all where stderr is no terminal.
 *
 * Our own rather than @clack/prompts: its spinner puts the keyboard into raw mode and answers Ctrl-C by leaving the
 * process with exit code 0, with the device open and without our abort.
 */
export function createProgressBar(stream: NodeJS.WriteStream = process.stderr): ProgressBar {
  if (!stream.isTTY) return {update: () => {}, clear: () => {}};
  const startedAt = performance.now();
  let drawnAt = -Infinity;
  let drawnPhase: string | undefined;
  let first: NodeJS.Timeout | undefined;
  const draw = (progress: Progress): void => {
    clearTimeout(first);
    first = undefined;
    drawnAt = performance.now();
    drawnPhase = progress.phase;
    stream.write(`\r\u001B[2K${formatProgress(progress)}`);
  };
  return {
    update: (progress) => {
      const now = performance.now();
      if (now - startedAt < SHOW_AFTER_MS) {
        // The next report may be long in coming.
        clearTimeout(first);
        first = setTimeout(draw, startedAt + SHOW_AFTER_MS - now, progress).unref();
        return;
      }
      if (progress.phase !== drawnPhase || now - drawnAt >= REDRAW_MS) draw(progress);
    },
    clear: () => {
      clearTimeout(first);
      first = undefined;
      if (drawnPhase !== undefined) stream.write('\r\u001B[2K');
      drawnPhase = undefined;
    },
  };
}

/** `clusters  ████████░░░░  63 %`; without a bar where the total is not known. */
function formatProgress({phase, done, total}: Progress): string {
  if (total <= 0) return phase;
  const share = Math.min(1, Math.max(0, done / total));
  const full = Math.round(share * BAR_WIDTH);
  return `${phase.padEnd(8)}  ${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)}  ${Math.floor(share * 100)} %`;
}
