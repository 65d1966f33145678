// Usage: transfers.ts DATASET EPS MIN_PTS [DATASET EPS MIN_PTS …]. Shows what bounds a run of dense-grid with transfers
// on a GPU: its phases into an array that the caller hands back, the same with the device kept busy while the host
// copies, points in mapped memory, and the host's copies alone. Medians over warm runs; labels are compared with `pds`.
import {DBSCAN_PHASES, type DbscanResult} from '@epsball/clustering';
import {generateDataset} from '@epsball/datasets';
import {createDbscan} from '@epsball/dbscan';
import {createMappedPoints, openGpu} from '@epsball/gpu';
import {summarizeTimes} from '../src/statistics.ts';
import {GpuLoad} from './gpuLoad.ts';

const RUNS = 15;
const WARM_UP_MS = 1000;

const gpu = await openGpu();
const load = new GpuLoad(gpu);
process.stdout.write(`${gpu.info.description} (${gpu.info.kind})\n`);
const rest = process.argv.slice(2);
for (let k = 0; k + 2 < rest.length; k += 3)
  await show(rest[k], {eps: Number(rest[k + 1]), minPts: Number(rest[k + 2])});
gpu.destroy();

async function show(dataset: string, params: {readonly eps: number; readonly minPts: number}): Promise<void> {
  const points = generateDataset(dataset);
  const n = points.coords.length / points.dim;
  using reference = await createDbscan({algorithm: 'pds', backend: 'workers'});
  const {labels} = await reference.run(points, params);
  using dbscan = await createDbscan({algorithm: 'dense-grid', backend: 'gpu', gpu});
  const into = {labels: new Int32Array(n).fill(0)};
  const run = (): Promise<DbscanResult> => dbscan.run(points, params, into);
  const first = await run();
  const isEqual = Buffer.from(first.labels.buffer).equals(Buffer.from(labels.buffer));
  process.stdout.write(
    `\n${dataset}, eps ${params.eps}, minPts ${params.minPts}: labels ${isEqual ? 'equal' : 'DIFFER'}\n`,
  );
  await line('into an array', run);
  for (const share of [0.1, 0.25, 0.5]) {
    await line(`into an array, device busy ${share} of a load behind each chunk`, () => busyBetweenChunks(run, share));
  }
  if (points.coords instanceof Float32Array) {
    using mapped = createMappedPoints(gpu, n, points.dim);
    mapped.coords.set(points.coords);
    const lent = async (): Promise<DbscanResult> => {
      await mapped.map();
      return dbscan.run(mapped, params, into);
    };
    await line('mapped points, into an array', lent);
  }
  const copy = new Uint8Array(points.coords.byteLength).fill(1);
  const source = new Uint8Array(points.coords.buffer, points.coords.byteOffset, points.coords.byteLength);
  const copies = Array.from({length: RUNS}, () => timed(() => copy.set(source)));
  process.stdout.write(`  plain copy of the points ${summarizeTimes(copies).medianMs.toFixed(2)} ms\n`);
}

/** Runs with work for the device behind each chunk of the upload but the last. */
async function busyBetweenChunks(run: () => Promise<DbscanResult>, share: number): Promise<DbscanResult> {
  const {queue} = gpu.device;
  const submit = queue.submit.bind(queue);
  // The run submits the chunks one by one; the last goes with the bounding box.
  let chunks = 0;
  queue.submit = (buffers) => {
    submit(buffers);
    if (++chunks <= 4) load.submit(share);
  };
  try {
    return await run();
  } finally {
    queue.submit = submit;
  }
}

async function line(name: string, run: () => Promise<DbscanResult>): Promise<void> {
  const results: DbscanResult[] = [];
  const start = performance.now();
  for (let k = 0; k < 5 || performance.now() - start < WARM_UP_MS; k++) await run();
  for (let k = 0; k < RUNS; k++) results.push(await run());
  const median = (of: (result: DbscanResult) => number): string => summarizeTimes(results.map(of)).medianMs.toFixed(2);
  const phases = DBSCAN_PHASES.filter((phase) => results[0].stats.phaseMs[phase] !== undefined);
  const parts = phases.map((phase) => `${phase} ${median(({stats}) => stats.phaseMs[phase] ?? 0)}`);
  process.stdout.write(
    `  ${name}: ${median(({stats}) => stats.wallMs)} ms, device ${median(({stats}) => stats.deviceMs ?? 0)} ` +
      `(${parts.join(', ')})\n`,
  );
}

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
