/** The child process of a benchmark cell: one job in, one line of JSON out. */
import {adapterOf, measure} from './measure.ts';
import type {CellJob, CellReply} from './job.ts';

async function answer(job: CellJob): Promise<CellReply> {
  try {
    if (job.kind === 'probe') return {status: 'probed', adapter: await adapterOf(job.adapter)};
    return {status: 'measured', cell: await measure(job)};
  } catch (error) {
    return {status: 'failed', error: error instanceof Error ? error.message : String(error)};
  }
}

// The parent wrote the argument from the same type.
const job: CellJob = JSON.parse(process.argv[2] ?? '');
process.stdout.write(`${JSON.stringify(await answer(job))}\n`);
