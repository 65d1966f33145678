/** Of BullMQ, which does not export it. */
export interface Child {
  send: (message: unknown) => Promise<unknown>;
}

/** Of BullMQ, which does not export it. */
export interface ChildPool {
  retain: (file: string) => Promise<Child>;
  remove: (child: Child) => void;
}

/**
 * Lets a task fail, and run again, whose child process is killed at a moment for which BullMQ 6.7 does not provide.
 *
 * - While the process starts: BullMQ waits for its event "close", but has removed all listeners at its "exit". The task
 *   would never end.
 * - Before the process gets the task: BullMQ does not handle the error of the closed channel. The worker would end.
 */
export function guardChildPool(pool: ChildPool): void {
  const {retain} = pool;
  pool.retain = (file) =>
    new Promise((resolve, reject) => {
      // BullMQ calls it at the exit of the child that this call starts.
      const remove = (child: Child): void => {
        pool.remove(child);
        reject(new Error('the child process of the task ended while it started'));
      };
      const own: ChildPool = Object.create(pool, {remove: {value: remove}});
      retain.call(own, file).then((child) => resolve(withSafeSend(child)), reject);
    });
}

/** A message that cannot be sent is no loss: the exit of the process, which follows, ends the task. */
function withSafeSend(child: Child): Child {
  if (Object.hasOwn(child, 'send')) return child;
  const send = child.send.bind(child);
  child.send = (message) => send(message).catch(() => undefined);
  return child;
}
