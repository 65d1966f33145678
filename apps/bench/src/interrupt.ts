/**
 * Does work that Ctrl-C turns into an abort, so that devices close and no half-written file stays behind. A second Ctrl-C
 * meets no listener any more and ends the process at once, as the first does outside such work.
 *
 * @throws DOMException  `AbortError`, whatever the work threw, if Ctrl-C came first
 */
export async function abortOnInterrupt(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  const {signal} = controller;
  const abort = (): void => controller.abort(new DOMException('interrupted', 'AbortError'));
  process.once('SIGINT', abort);
  try {
    await work(signal);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    process.removeListener('SIGINT', abort);
  }
}
