// Usage: transfers.ts DATASET EPS MIN_PTS [DATASET EPS MIN_PTS …]. Shows what bounds a run of
// dense-grid with transfers on a GPU: its phases into fresh arrays, into an array that the caller hands back, from
// mapped memory, into borrowed labels, and the host's copies alone. Medians (minima) over warm runs; the labels of each
// row are compared with those of `pds`.
import {readFile} from 'node:fs/promises';
import {parseArgs} from 'node:util';
import {DBSCAN_PHASES, type DbscanOutputOptions, type DbscanResult} from '@epsball/clustering';
import {generateDataset} from '@epsball/datasets';
import {createDbscan} from '@epsball/dbscan';
import {createMappedPoints, openGpu} from '@epsball/gpu';
import {summarizeTimes} from '../src/statistics.ts';

type Run = () => Promise<DbscanResult>;

const RUNS = 15;
const WARM_UP_MS = 2000;

const {positionals} = parseArgs({options: {}, allowPositionals: true});
const gpu = await openGpu();
process.stdout.write(`${gpu.info.description} (${gpu.info.kind})\n`);
process.stdout.write(`GLIBC_TUNABLES ${process.env['GLIBC_TUNABLES'] ?? 'not set'}; huge pages ${await hugePages()}\n`);
for (let k = 0; k + 2 < positionals.length; k += 3)
  await show(positionals[k], {eps: Number(positionals[k + 1]), minPts: Number(positionals[k + 2])});
gpu.destroy();

async function show(dataset: string, params: {readonly eps: number; readonly minPts: number}): Promise<void> {
  const points = generateDataset(dataset);
  const n = points.coords.length / points.dim;
  using reference = await createDbscan({algorithm: 'pds', backend: 'workers'});
  const {labels} = await reference.run(points, params);
  using dbscan = await createDbscan({algorithm: 'dense-grid', backend: 'gpu', gpu});
  process.stdout.write(`\n${dataset}, eps ${params.eps}, minPts ${params.minPts}\n`);
  const into = {labels: new Int32Array(n).fill(0)};
  const ordinary =
    (output: DbscanOutputOptions): Run =>
    () =>
      dbscan.run(points, params, output);
  await line('fresh arrays', ordinary({}), labels);
  await line('into an array', ordinary(into), labels);
  if (points.coords instanceof Float32Array) {
    using mapped = createMappedPoints(gpu, n, points.dim);
    mapped.coords.set(points.coords);
    const lent =
      (output: DbscanOutputOptions): Run =>
      async () => {
        await mapped.map();
        return dbscan.run(mapped, params, output);
      };
    await line('mapped points, into an array', lent(into), labels);
    await line('mapped points, borrowed labels', lent({labels: 'borrowed'}), labels);
  }
  for (const [name, array] of Object.entries({points: points.coords, labels})) {
    const source = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    const copy = new Uint8Array(source.length).fill(1);
    process.stdout.write(
      `  plain copy of the ${name}: ${summary(Array.from({length: RUNS}, () => timed(() => copy.set(source))))}\n`,
    );
  }
}

async function line(name: string, run: Run, labels: Int32Array): Promise<void> {
  const check = (result: DbscanResult): void => {
    if (Buffer.compare(bytes(result.labels), bytes(labels)) !== 0) throw new Error(`${name}: labels differ from pds's`);
  };
  const first = await run();
  check(first);
  // Later runs must write an array that is handed back again.
  if (first.release === undefined) first.labels.fill(-2);
  const start = performance.now();
  for (let k = 0; k < 5 || performance.now() - start < WARM_UP_MS; k++) await run();
  // Counted runs follow each other at once: the clock of a GPU that waits for a comparison falls.
  const results: DbscanResult[] = [];
  for (let k = 0; k < RUNS; k++) results.push(await run());
  check(results[RUNS - 1]);
  const stats = results.map((result) => result.stats);
  const phases = DBSCAN_PHASES.filter((phase) => stats[0].phaseMs[phase] !== undefined);
  const parts = phases.map((phase) => `${phase} ${summary(stats.map(({phaseMs}) => phaseMs[phase] ?? 0))}`);
  const device = summary(stats.map(({deviceMs}) => deviceMs ?? 0));
  const wall = summary(stats.map(({wallMs}) => wallMs));
  process.stdout.write(`  ${name}: ${wall} ms, device ${device}: ${parts.join(', ')}\n`);
}

/** What Linux does about huge pages, such as `always [madvise] never`. Fresh arrays get them with `always` only. */
async function hugePages(): Promise<string> {
  const path = '/sys/kernel/mm/transparent_hugepage/enabled';
  return readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => 'unknown',
  );
}

function bytes(array: Int32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** The median and the minimum, in milliseconds. */
function summary(times: readonly number[]): string {
  return `${summarizeTimes(times).medianMs.toFixed(2)} (${Math.min(...times).toFixed(2)})`;
}

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
