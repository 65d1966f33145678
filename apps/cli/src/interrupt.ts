import {constants} from 'node:os';

/** The signals that end a command, and what the command says then: Ctrl-C, `kill`, a closed terminal. */
const SIGNALS = {SIGINT: 'interrupted', SIGTERM: 'terminated', SIGHUP: 'terminal closed'} as const;

type EndingSignal = keyof typeof SIGNALS;

/** A signal has ended the command early. */
export class InterruptedError extends Error {
  /** 128 + the number of the signal, as a shell reports it: 130, 143 or 129. */
  readonly exitCode: number;
  readonly signal: EndingSignal;

  /** @param advice  what follows the name of the signal */
  constructor(signal: EndingSignal, advice = '') {
    super(`${SIGNALS[signal]}${advice}`);
    this.signal = signal;
    this.name = 'AbortError';
    this.exitCode = 128 + constants.signals[signal];
  }
}

/**
 * Does work that Ctrl-C, SIGTERM and SIGHUP abort. The work then closes devices, ends child processes and removes
 * temporary files. A second signal ends the process at once, as the first does outside such work.
 *
 * @throws InterruptedError  if a signal came before the work ended: that of the work, else one without advice
 */
export async function abortOnInterrupt(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  const {signal} = controller;
  const aborts = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((name) => {
    const abort = (): void => {
      stopListening();
      controller.abort(new InterruptedError(name));
    };
    return [name, abort] as const;
  });
  const stopListening = (): void => aborts.forEach(([name, abort]) => process.removeListener(name, abort));
  for (const [name, abort] of aborts) process.on(name, abort);
  try {
    await work(signal);
  } catch (error) {
    throw signal.aborted && !(error instanceof InterruptedError) ? signal.reason : error;
  } finally {
    stopListening();
  }
  // Work that ends all the same, because the signal came late, does not hide the signal.
  signal.throwIfAborted();
}
