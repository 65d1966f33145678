// A child of a worker, as BullMQ's, whose task throws when the worker has died. It prints its process id.
import {endWithWorker} from '../src/bullmq/endWithWorker.ts';

process.on('uncaughtException', async () => {
  await new Promise<void>((resolve, reject) => {
    process.send?.('failed', (error: Error | null) => (error === null ? resolve() : reject(error)));
  });
  process.exit();
});
endWithWorker();
const worker = process.ppid;
process.stdout.write(`${process.pid}\n`);
// The event loop has no turn in which it would see the closed channel.
while (process.ppid === worker);
throw new Error('after the end of the worker');
