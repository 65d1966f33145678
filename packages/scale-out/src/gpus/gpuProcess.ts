// The process of one GPU: it runs tasks on threads, and clusters their tiles.
import {packError} from '../carriedError.ts';
import {RunFiles} from '../runFiles.ts';
import {openStore} from '../store/openStore.ts';
import {threadRunner, type TaskRunner} from '../taskRunner.ts';
import type {ProcessOrder, ProcessReply, ProcessSetup} from './gpuProcesses.ts';

async function openRunner(): Promise<TaskRunner> {
  const {work, name, ...options}: ProcessSetup = JSON.parse(process.argv[2]);
  const files = new RunFiles(await openStore(work), name);
  // Tasks are counted, not the parts of their tiles.
  return threadRunner(files, {...options, onPart: () => {}}, new AbortController().signal);
}

const opening = openRunner();

process.on('message', async ({id, task}: ProcessOrder) => {
  let reply: ProcessReply;
  try {
    reply = {id, times: await (await opening).run(task)};
  } catch (error) {
    reply = {id, failure: packError(error)};
  }
  if (process.connected) process.send?.(reply);
});

// The parent has disconnected or died.
process.once('disconnect', async () => {
  await (await opening).close();
  process.exit();
});
