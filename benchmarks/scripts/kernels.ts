// Usage: kernels.ts VARIANT[,VARIANT…] DATASET EPS MIN_PTS [DATASET EPS MIN_PTS …]. Times each kernel of a variant on a
// GPU, like nvprof: a pass with timestamps around every dispatch, medians over warm runs. The passes add some
// microseconds to a run, so the sums are upper bounds. Prints device times, times with transfers and the device memory
// of undisturbed runs, too.
import type {DbscanParams, DbscanResult, PointSet} from '@epsball/clustering';
import {createMappedPoints, openGpu, type Gpu} from '@epsball/gpu';
import {generateDataset} from '@epsball/datasets';
import {createDbscan} from '@epsball/dbscan';
import {summarizeTimes} from '../src/statistics.ts';
import {gpuLoad} from './gpuLoad.ts';

const RUNS = 15;
/** The device's clock rises only under load: warm-ups last this long, without pauses. */
const WARM_UP_MS = 1500;

/** Times of dispatches, by the label of their pipelines. */
class KernelProfile {
  readonly #device: GPUDevice;
  readonly #querySet: GPUQuerySet;
  readonly #resolved: GPUBuffer;
  readonly #staging: GPUBuffer;
  #names: string[] = [];

  constructor(device: GPUDevice) {
    const count = 4096;
    this.#device = device;
    this.#querySet = device.createQuerySet({type: 'timestamp', count});
    this.#resolved = device.createBuffer({
      size: 8 * count,
      usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC,
    });
    this.#staging = device.createBuffer({size: 8 * count, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST});
  }

  /** Makes every dispatch a pass of its own while `work` runs. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    const device = this.#device;
    const original = device.createCommandEncoder.bind(device);
    device.createCommandEncoder = (descriptor) => this.#watched(original(descriptor));
    try {
      return await work();
    } finally {
      device.createCommandEncoder = original;
    }
  }

  #watched(encoder: GPUCommandEncoder): GPUCommandEncoder {
    const begin = encoder.beginComputePass.bind(encoder);
    encoder.beginComputePass = () => {
      const calls = new Map<string, unknown[]>();
      const idle = begin();
      idle.end();
      const keep = (name: string, args: unknown[]): void => {
        calls.set(name === 'setBindGroup' ? `${name} ${String(args[0])}` : name, args);
      };
      const dispatch = (size: unknown[]): void => {
        const pass = begin({timestampWrites: this.#spanOf(calls)});
        for (const [call, args] of calls) Reflect.apply(Reflect.get(pass, call.split(' ')[0]), pass, args);
        Reflect.apply(pass.dispatchWorkgroups.bind(pass), pass, size);
        pass.end();
      };
      // Stands for a pass: keeps pipeline and bind groups, and begins a pass for each dispatch.
      return new Proxy(idle, {
        get: (_, name) => {
          if (name === 'dispatchWorkgroups') return (...size: unknown[]) => dispatch(size);
          if (name === 'end') return () => undefined;
          return (...args: unknown[]) => keep(String(name), args);
        },
      });
    };
    return encoder;
  }

  /** The timestamps of one more dispatch. */
  #spanOf(calls: ReadonlyMap<string, readonly unknown[]>): GPUComputePassTimestampWrites {
    const pipeline = calls.get('setPipeline')?.[0];
    const label = pipeline instanceof GPUComputePipeline ? pipeline.label : '?';
    const k = this.#names.push(label) - 1;
    return {querySet: this.#querySet, beginningOfPassWriteIndex: 2 * k, endOfPassWriteIndex: 2 * k + 1};
  }

  /** Microseconds by kernel since the last call. */
  async take(): Promise<Map<string, number>> {
    const count = 2 * this.#names.length;
    const encoder = this.#device.createCommandEncoder();
    encoder.resolveQuerySet(this.#querySet, 0, count, this.#resolved, 0);
    encoder.copyBufferToBuffer(this.#resolved, 0, this.#staging, 0, 8 * count);
    this.#device.queue.submit([encoder.finish()]);
    await this.#staging.mapAsync(GPUMapMode.READ);
    const stamps = new BigInt64Array(this.#staging.getMappedRange(0, 8 * count));
    const sums = new Map<string, number>();
    this.#names.forEach((name, k) => {
      sums.set(name, (sums.get(name) ?? 0) + Number(stamps[2 * k + 1] - stamps[2 * k]) / 1e3);
    });
    this.#staging.unmap();
    this.#names = [];
    return sums;
  }
}

const [, , variants = 'dense-grid', ...rest] = process.argv;
const gpu: Gpu = await openGpu();
const profile = new KernelProfile(gpu.device);
const load = gpuLoad(gpu);
process.stdout.write(`${gpu.info.description} (${gpu.info.kind})\n`);
for (let k = 0; k + 2 < rest.length; k += 3) {
  const [dataset, eps, minPts] = rest.slice(k, k + 3);
  const points = generateDataset(dataset);
  const params = {eps: Number(eps), minPts: Number(minPts)};
  using reference = await createDbscan({algorithm: 'pds', backend: 'workers'});
  const {labels} = await reference.run(points, params);
  for (const algorithm of variants.split(',')) await profileVariant(algorithm, {dataset, points, params, labels});
}
gpu.destroy();

interface Work {
  readonly dataset: string;
  readonly points: PointSet;
  readonly params: DbscanParams;
  /** Of `pds`. */
  readonly labels: Int32Array;
}

async function profileVariant(algorithm: string, {dataset, points, params, labels}: Work): Promise<void> {
  using dbscan = await createDbscan({algorithm, backend: 'gpu', gpu});
  const n = points.coords.length / points.dim;
  const first: DbscanResult = await dbscan.run(points, params);
  const isEqual = Buffer.from(first.labels.buffer).equals(Buffer.from(labels.buffer));
  const into = {labels: new Int32Array(n).fill(0)};
  const ms = async (run: () => Promise<DbscanResult>): Promise<{wall: string; device: string; last: DbscanResult}> => {
    const walls: number[] = [];
    const devices: number[] = [];
    let last: DbscanResult = first;
    const start = performance.now();
    for (let k = 0; k < RUNS || performance.now() - start < WARM_UP_MS; k++) last = await run();
    for (let k = 0; k < RUNS; k++) {
      last = await run();
      walls.push(last.stats.wallMs);
      devices.push(last.stats.deviceMs ?? Number.NaN);
    }
    return {wall: summarizeTimes(walls).medianMs.toFixed(2), device: summarizeTimes(devices).medianMs.toFixed(3), last};
  };
  const loaded = await ms(() => {
    load();
    return dbscan.run(points, params, into);
  });
  const handedBack = await ms(() => dbscan.run(points, params, into));
  const fresh = await ms(() => dbscan.run(points, params));
  using mapped = points.coords instanceof Float32Array ? createMappedPoints(gpu, n, points.dim) : undefined;
  mapped?.coords.set(points.coords);
  const lent = mapped
    ? await ms(async () => {
        await mapped.map();
        return dbscan.run(mapped, params, {labels: 'borrowed'});
      })
    : undefined;
  lent?.last.release?.();
  const {stats, clusterCount} = handedBack.last;
  const phases = Object.entries(stats.phaseMs).map(([phase, time]) => `${phase} ${time.toFixed(2)}`);
  process.stdout.write(
    `\n${algorithm}, ${dataset}, eps ${params.eps}, minPts ${params.minPts}: labels ${isEqual ? 'equal' : 'DIFFER'}, ` +
      `${clusterCount} clusters, ${((stats.deviceBytes ?? 0) / n).toFixed(1)} bytes a point\n` +
      `  device ${loaded.device} ms behind other work, ${handedBack.device} alone; with transfers ${handedBack.wall} ms ` +
      `into arrays (${phases.join(', ')}), ${fresh.wall} into new ones, ${lent?.wall ?? '–'} mapped and borrowed\n`,
  );
  const times = new Map<string, number[]>();
  await profile.during(async () => {
    for (let run = 0; run < RUNS; run++) {
      load();
      await dbscan.run(points, params, into);
      for (const [name, us] of await profile.take()) times.set(name, [...(times.get(name) ?? []), us]);
    }
  });
  const rows = [...times].map(([name, all]) => [name, summarizeTimes(all).medianMs] as const);
  const total = rows.reduce((sum, [, us]) => sum + us, 0);
  for (const [name, us] of rows.toSorted((a, b) => b[1] - a[1])) {
    process.stdout.write(
      `${us.toFixed(1).padStart(10)} µs ${((100 * us) / total).toFixed(1).padStart(5)} %  ${name}\n`,
    );
  }
  process.stdout.write(`${total.toFixed(1).padStart(10)} µs in all\n`);
}
