// Usage: sort-kernels.ts [EXPONENT…]. Default: 20 24 28. Times a radix sort of 2^EXPONENT pairs of u32 on the device,
// each kernel and the whole sort, between timestamps. Checks every word of the result, and exits with 1 if a word is
// wrong.
import {DeviceTimer, openGpu, ReadBack, Uploader, type Gpu} from '@epsball/gpu';
import {RadixSort} from '@epsball/gpu-primitives';
import {mix, noise, positions} from '../src/primitives/inputs.ts';
import {proveOrder} from '../src/primitives/proveOrder.ts';

const REPEATS = 15;
/** The kernels of a pass of the sort, in order. */
const KERNELS = ['count', 'scan', 'scatter'] as const;
type Kernel = (typeof KERNELS)[number];

interface Pair {
  readonly keys: GPUBuffer;
  readonly values: GPUBuffer;
}

/** A pass that records each dispatch in a timed pass. */
function eachTimed(gpu: Gpu, timer: DeviceTimer<Kernel>, encoder: GPUCommandEncoder): GPUComputePassEncoder {
  let dispatches = 0;
  let settings: ((pass: GPUComputePassEncoder) => void)[] = [];
  const recorder = {
    setPipeline: (pipeline: GPUComputePipeline) => settings.push((pass) => pass.setPipeline(pipeline)),
    setBindGroup: (index: number, group: GPUBindGroup) => settings.push((pass) => pass.setBindGroup(index, group)),
    dispatchWorkgroups(x: number, y: number, z: number) {
      const pass = timer.beginPass(encoder, KERNELS[dispatches++ % KERNELS.length]);
      for (const set of settings) set(pass);
      settings = [];
      pass.dispatchWorkgroups(x, y, z);
      pass.end();
    },
  };
  // A pass of an encoder that is never submitted.
  const idle = gpu.device.createCommandEncoder().beginComputePass();
  return new Proxy(idle, {get: (_, name) => Reflect.get(recorder, name)});
}

/**
 * Fastest times of one sort in milliseconds: of the whole (`sort`), and of each kernel over all passes.
 */
async function timeSort(
  gpu: Gpu,
  sort: RadixSort,
  pristine: Pair,
  input: Pair,
  other: Pair,
): Promise<Map<string, number>> {
  const count = pristine.keys.size / 4;
  const best = new Map<string, number>();
  using kernels = new DeviceTimer<Kernel>(gpu, 'bench/sortKernels');
  using whole = new DeviceTimer<'sort'>(gpu, 'bench/sort');
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    for (const isWhole of [true, false]) {
      kernels.reset();
      whole.reset();
      const encoder = gpu.device.createCommandEncoder();
      encoder.copyBufferToBuffer(pristine.keys, 0, input.keys, 0, 4 * count);
      encoder.copyBufferToBuffer(pristine.values, 0, input.values, 0, 4 * count);
      if (isWhole) {
        const pass = whole.beginPass(encoder, 'sort');
        sort.encode(pass, {input, other, count});
        pass.end();
      } else {
        sort.encode(eachTimed(gpu, kernels, encoder), {input, other, count});
      }
      gpu.device.queue.submit([encoder.finish()]);
      const spans = Object.entries((await (isWhole ? whole : kernels).read()) ?? {});
      for (const [name, ms] of spans) best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, ms));
    }
  }
  return best;
}

async function measure(gpu: Gpu, sort: RadixSort, exponent: number): Promise<void> {
  const count = 2 ** exponent;
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
  const owned = Array.from({length: 6}, (_, k) => gpu.createBuffer(`bench/sortKernels${k}`, 4 * count, usage));
  const [pristine, input, other] = [0, 2, 4].map((k): Pair => ({keys: owned[k].buffer, values: owned[k + 1].buffer}));
  using uploader = new Uploader(gpu, 'bench/sortKernels');
  await uploader.upload(noise(count), pristine.keys);
  await uploader.upload(positions(count), pristine.values);
  sort.reserve(count);
  const times = await timeSort(gpu, sort, pristine, input, other);
  using reader = new ReadBack(gpu, 'bench/sortKernels');
  const [keys, values] = [new Uint32Array(count), new Uint32Array(count)];
  const encoder = gpu.device.createCommandEncoder();
  encoder.copyBufferToBuffer(pristine.keys, 0, input.keys, 0, 4 * count);
  encoder.copyBufferToBuffer(pristine.values, 0, input.values, 0, 4 * count);
  const sorted = sort.encode(encoder, {input, other, count});
  gpu.device.queue.submit([encoder.finish()]);
  await reader.read(sorted.keys, keys);
  await reader.read(sorted.values, values);
  proveOrder(keys, values, mix);
  const columns = ['sort', ...KERNELS].map((name) => `${name} ${(times.get(name) ?? Number.NaN).toFixed(4)}`);
  process.stdout.write(`2^${exponent} pairs, ${sort.cooperation}, ms: ${columns.join(', ')}; right\n`);
  for (const buffer of owned) buffer.destroy();
}

const given = process.argv.slice(2).map(Number);
using gpu = await openGpu();
using sort = await RadixSort.create(gpu);
process.stdout.write(`${gpu.info.description || gpu.info.device}, fastest of ${REPEATS}\n`);
for (const exponent of given.length > 0 ? given : [20, 24, 28]) await measure(gpu, sort, exponent);
