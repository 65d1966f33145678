// Usage: kernels.ts VARIANT[,VARIANT…] DATASET EPS MIN_PTS [DATASET EPS MIN_PTS …]. Shows what bounds runs of a variant
// on a GPU. First its phases, medians (minima) over warm runs: behind other work, from fresh arrays, into an array that
// the caller hands back, from mapped memory, into borrowed labels; and the host's copies alone. Then each kernel, like
// nvprof: a pass with timestamps around every dispatch, which adds some microseconds, so the sums are upper bounds. All
// labels are compared with those of `pds`.
import {readFile} from 'node:fs/promises';
import {
  DBSCAN_PHASES,
  type DbscanOutputOptions,
  type DbscanParams,
  type DbscanResult,
  type PointSet,
} from '@epsball/clustering';
import {createMappedPoints, DeviceTimer, openGpu} from '@epsball/gpu';
import {generateDataset} from '@epsball/datasets';
import {createDbscan} from '@epsball/dbscan';
import {summarizeTimes} from '../src/statistics.ts';
import {gpuLoad} from './gpuLoad.ts';
import {print} from './print.ts';

const RUNS = 15;
/** The device's clock rises only under load: warm-ups last this long, without pauses. */
const WARM_UP_MS = 1500;
/** Passes that a timer holds. */
const SPANS = 256;

const [, , variants = 'dense-grid', ...rest] = process.argv;
const gpu = await openGpu();
const load = gpuLoad(gpu);
const hugePages = await readFile('/sys/kernel/mm/transparent_hugepage/enabled', 'utf8').catch(() => 'unknown');
print(`${gpu.info.description} (${gpu.info.kind})`);
// Fresh arrays get huge pages where they are `always` there.
print(`GLIBC_TUNABLES ${process.env['GLIBC_TUNABLES'] ?? 'not set'}; huge pages ${hugePages.trim()}`);
for (let k = 0; k + 2 < rest.length; k += 3) {
  const [dataset, eps, minPts] = rest.slice(k, k + 3);
  const points = generateDataset(dataset);
  const params = {eps: Number(eps), minPts: Number(minPts)};
  using reference = await createDbscan({algorithm: 'pds', backend: 'workers'});
  const {labels, clusterCount} = await reference.run(points, params);
  print(`\n${dataset}, eps ${eps}, minPts ${minPts}: ${clusterCount} clusters`);
  for (const [name, {buffer, byteOffset, byteLength}] of Object.entries({points: points.coords, labels})) {
    const source = new Uint8Array(buffer, byteOffset, byteLength);
    const copy = new Uint8Array(byteLength).fill(1);
    print(
      `  plain copy of the ${name}: ${summary(Array.from({length: RUNS}, () => timed(() => copy.set(source))))} ms`,
    );
  }
  for (const algorithm of variants.split(',')) await showVariant(algorithm, points, params, labels);
}
gpu.destroy();

async function showVariant(algorithm: string, points: PointSet, params: DbscanParams, labels: Int32Array) {
  using dbscan = await createDbscan({algorithm, backend: 'gpu', gpu});
  const n = labels.length;
  print(algorithm);
  const into = {labels: new Int32Array(n).fill(0)};
  const run = (output: DbscanOutputOptions) => () => dbscan.run(points, params, output);
  const behind = (): Promise<DbscanResult> => {
    load();
    return dbscan.run(points, params, into);
  };
  await showPhases('behind other work', behind, labels);
  await showPhases('fresh arrays', run({}), labels);
  const {stats} = await showPhases('into an array', run(into), labels);
  if (points.coords instanceof Float32Array) {
    using mapped = createMappedPoints(gpu, n, points.dim);
    mapped.coords.set(points.coords);
    const lent = (output: DbscanOutputOptions) => async () => {
      await mapped.map();
      return dbscan.run(mapped, params, output);
    };
    await showPhases('mapped points, into an array', lent(into), labels);
    (await showPhases('mapped points, borrowed labels', lent({labels: 'borrowed'}), labels)).release?.();
  }
  print(`  ${((stats.deviceBytes ?? 0) / n).toFixed(1)} device bytes a point`);
  const times = new Map<string, number[]>();
  for (let k = 0; k < RUNS; k++) {
    for (const [name, ms] of await timeKernels(behind)) times.set(name, [...(times.get(name) ?? []), ms]);
  }
  const rows = [...times].map(([name, all]) => [name, 1000 * summarizeTimes(all).medianMs] as const);
  const total = rows.reduce((sum, [, us]) => sum + us, 0);
  for (const [name, us] of rows.toSorted((a, b) => b[1] - a[1])) {
    print(`${us.toFixed(1).padStart(10)} µs ${((100 * us) / total).toFixed(1).padStart(5)} %  ${name}`);
  }
  print(`${total.toFixed(1).padStart(10)} µs in all`);
}

/** Runs until all is warm, then times. @throws Error  if labels differ */
async function showPhases(name: string, run: () => Promise<DbscanResult>, labels: Int32Array): Promise<DbscanResult> {
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
  const last = results[RUNS - 1];
  check(last);
  const all = results.map(({stats}) => stats);
  const phases = DBSCAN_PHASES.filter((phase) => last.stats.phaseMs[phase] !== undefined);
  const parts = phases.map((phase) => `${phase} ${summary(all.map(({phaseMs}) => phaseMs[phase] ?? 0))}`);
  const device = summary(all.map(({deviceMs}) => deviceMs ?? 0));
  print(`  ${name}: ${summary(all.map(({wallMs}) => wallMs))} ms, device ${device}: ${parts.join(', ')}`);
  return last;
}

/** Milliseconds of each kernel during a run, by the label of its pipeline. */
async function timeKernels(run: () => Promise<unknown>): Promise<Map<string, number>> {
  const {device} = gpu;
  const timers: DeviceTimer[] = [];
  let spans = 0;
  const original = device.createCommandEncoder.bind(device);
  device.createCommandEncoder = (descriptor) => {
    return withPassForEach(original(descriptor), (encoder, name) => {
      if (spans++ % SPANS === 0) timers.push(new DeviceTimer(gpu, 'kernels'));
      return timers[timers.length - 1].beginPass(encoder, name);
    });
  };
  try {
    await run();
  } finally {
    device.createCommandEncoder = original;
  }
  const sums = new Map<string, number>();
  for (const timer of timers) {
    for (const [name, ms = 0] of Object.entries((await timer.read()) ?? {})) sums.set(name, (sums.get(name) ?? 0) + ms);
    timer.destroy();
  }
  return sums;
}

/** Makes every dispatch of an encoder a pass of its own: keeps pipeline and bind groups for it. */
function withPassForEach(
  encoder: GPUCommandEncoder,
  beginTimed: (encoder: GPUCommandEncoder, name: string) => GPUComputePassEncoder,
): GPUCommandEncoder {
  const begin = encoder.beginComputePass.bind(encoder);
  const beginKept = (): GPUComputePassEncoder => {
    const calls = new Map<string, unknown[]>();
    const idle = begin();
    idle.end();
    const dispatch = (size: unknown[]): void => {
      const pipeline = calls.get('setPipeline')?.[0];
      encoder.beginComputePass = begin;
      const pass = beginTimed(encoder, pipeline instanceof GPUComputePipeline ? pipeline.label : '?');
      encoder.beginComputePass = beginKept;
      for (const [call, args] of calls) Reflect.apply(Reflect.get(pass, call.split(' ')[0]), pass, args);
      Reflect.apply(pass.dispatchWorkgroups.bind(pass), pass, size);
      pass.end();
    };
    return new Proxy(idle, {
      get: (_, name) => {
        if (name === 'dispatchWorkgroups') return (...size: unknown[]) => dispatch(size);
        if (name === 'end') return () => undefined;
        return (...args: unknown[]) =>
          void calls.set(name === 'setBindGroup' ? `${name} ${String(args[0])}` : String(name), args);
      },
    });
  };
  encoder.beginComputePass = beginKept;
  return encoder;
}

function bytes({buffer, byteOffset, byteLength}: Int32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** The median and the minimum, in milliseconds. */
function summary(times: readonly number[]): string {
  const {medianMs, minMs} = summarizeTimes(times);
  return `${medianMs.toFixed(2)} (${minMs.toFixed(2)})`;
}

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
