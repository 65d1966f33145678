/**
 * Turns the first Ctrl-C into an abort, so that devices close and no half-written file stays behind. The second
 * Ctrl-C meets no listener any more and ends the process at once.
 *
 * @returns  the signal to hand to long work, and `release`, after which Ctrl-C acts as usual
 */
export function abortOnInterrupt(): {signal: AbortSignal; release: () => void} {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new DOMException('interrupted', 'AbortError'));
  process.once('SIGINT', abort);
  return {signal: controller.signal, release: () => process.removeListener('SIGINT', abort)};
}
