/**
 * Ends this process, the child of a worker, when the worker has died.
 *
 * - The channel closes: without this, the child would finish its task and then wait for ever.
 * - A message cannot be sent any more: BullMQ 6.7 reports that by a message, which cannot be sent either, and so on,
 *   without a turn of the event loop in which the closed channel would be seen.
 */
export function endWithWorker(): void {
  process.once('disconnect', () => process.exit(1));
  const send = process.send?.bind(process);
  if (send === undefined) return;
  process.send = (message: unknown, done?: unknown): boolean =>
    send(message, (error) => {
      if (error !== null) process.exit(1);
      if (typeof done === 'function') done(error);
    });
}
