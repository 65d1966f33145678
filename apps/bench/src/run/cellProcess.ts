/** The child process of a benchmark cell. It takes one job and writes one line of JSON. */
import {InvalidParameterError} from '@epsball/clustering';
import type {CellJob, Job, Reply} from './job.ts';

/** A job loads only what it needs: a probe no variants, a cell of DBSCAN no primitives. */
async function answer(job: Job): Promise<Reply> {
  if (job.kind === 'probe') {
    const {adapterOf} = await import('./adapter.ts');
    return {status: 'probed', adapter: await adapterOf(job.adapter)};
  }
  const {measureCell} = await import('../measure/measureCell.ts');
  return {status: 'cell', cell: await measureCell(job, await measureOf(job.kind))};
}

async function measureOf(kind: CellJob['kind']) {
  switch (kind) {
    case 'dbscan':
      return (await import('../measure/dbscan.ts')).measureDbscan;
    case 'dynamic':
      return (await import('../measure/dynamic.ts')).measureDynamic;
    case 'hdbscan':
      return (await import('../measure/hdbscan.ts')).measureHdbscan;
    case 'mean-shift':
      return (await import('../measure/meanShift.ts')).measureMeanShift;
    case 'primitives':
      return (await import('../primitives/measure.ts')).measurePrimitive;
    default:
      throw new InvalidParameterError('kind', kind, 'a kind of suite');
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

// The parent wrote the argument from the same type.
const job: Job = JSON.parse(process.argv[2] ?? '');
const reply = await answer(job).catch((error: unknown): Reply => ({status: 'failed', error: textOf(error)}));
process.stdout.write(`${JSON.stringify(reply)}\n`);
