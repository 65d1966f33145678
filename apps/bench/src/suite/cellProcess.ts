/** The child process of benchmark cells. It takes one job and writes lines of JSON. */
import type {CellJob, CellReply} from './job.ts';

type JobOf<Kind> = CellJob & {readonly kind: Kind};

/** How each kind of job replies. A job loads only what it needs: a probe no variants, a DBSCAN cell no primitives. */
const answers: {readonly [Kind in CellJob['kind']]: (job: JobOf<Kind>) => Promise<void>} = {
  async probe({adapter}) {
    const {adapterOf} = await import('./adapter.ts');
    reply({status: 'probed', adapter: await adapterOf(adapter)});
  },
  async measure(job) {
    const {measure} = await import('./dbscan/measure.ts');
    reply({status: 'measured', cell: await measure(job)});
  },
  async 'mean-shift'(job) {
    const {meanShiftCell} = await import('../meanShift/meanShiftCell.ts');
    reply({status: 'meanShift', cell: await meanShiftCell(job)});
  },
  async hdbscan(job) {
    const {measureHdbscan} = await import('../hdbscan/measureHdbscan.ts');
    reply({status: 'hdbscan', cell: await measureHdbscan(job)});
  },
  async series(job) {
    const [{measureSeries}, {operationOf}] = await Promise.all([
      import('../primitives/measureSeries.ts'),
      import('../primitives/registry.ts'),
    ]);
    await measureSeries(job, operationOf(job.operation.id), (cell) => reply({status: 'primitive', cell}));
  },
};

function answer<Kind extends CellJob['kind']>(job: JobOf<Kind>): Promise<void> {
  return answers[job.kind](job);
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
