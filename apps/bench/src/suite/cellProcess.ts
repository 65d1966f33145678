/** The child process of benchmark cells: one job in, lines of JSON out. */
import type {CellJob, CellReply} from './job.ts';

async function answer(job: CellJob): Promise<void> {
  // Each job loads what it needs: a probe no variants, a DBSCAN cell no primitives.
  switch (job.kind) {
    case 'probe': {
      const {adapterOf} = await import('./adapter.ts');
      return reply({status: 'probed', adapter: await adapterOf(job.adapter)});
    }
    case 'measure': {
      const {measure} = await import('./dbscan/measure.ts');
      return reply({status: 'measured', cell: await measure(job)});
    }
    case 'mean-shift': {
      const {measureMeanShift} = await import('../meanShift/measureMeanShift.ts');
      return reply({status: 'meanShift', cell: await measureMeanShift(job)});
    }
    case 'series': {
      const [{measureSeries}, {operationOf}] = await Promise.all([
        import('../primitives/measureSeries.ts'),
        import('../primitives/registry.ts'),
      ]);
      return measureSeries(job, operationOf(job.operation.id), (cell) => reply({status: 'primitive', cell}));
    }
  }
}

function reply(one: CellReply): void {
  process.stdout.write(`${JSON.stringify(one)}\n`);
}

// The parent wrote the argument from the same type.
const job: CellJob = JSON.parse(process.argv[2] ?? '');
try {
  await answer(job);
} catch (error) {
  reply({status: 'failed', error: error instanceof Error ? error.message : String(error)});
}
