import {Kernel, ReadBack, type Gpu, type GpuBuffer} from '@epsball/gpu';

/** A device copy of 16 bytes an invocation. Written by hand, because `pnpm generate` reads packages only. */
const source = {
  label: 'bench/copy',
  code: `
@group(0) @binding(0) var<storage, read> source: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> destination: array<vec4u>;

@compute @workgroup_size(256)
fn copyQuads(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let i = ((group.z * groups.y + group.y) * groups.x + group.x) * 256u + lane;
  if (i < arrayLength(&source)) { destination[i] = source[i]; }
}

// Something to copy: every word its own index.
@compute @workgroup_size(256)
fn writePositions(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let i = ((group.z * groups.y + group.y) * groups.x + group.x) * 256u + lane;
  if (i < arrayLength(&destination)) { destination[i] = 4u * i + vec4u(0u, 1u, 2u, 3u); }
}
`,
  overrides: [],
  bindings: {
    source: {group: 0, binding: 0, type: 'read-only-storage'},
    destination: {group: 0, binding: 1, type: 'storage'},
  },
  entryPoints: {copyQuads: ['source', 'destination'], writePositions: ['destination']},
  structs: {},
} as const;

const QUAD_BYTES = 16;
/** Beyond this size a copy's GB/s no longer grow, and half of a sort's traffic would exceed the binding limit. */
const MAX_BYTES_EACH_WAY = 2 ** 30;
/** Bytes that are compared at the beginning, in the middle and at the end. */
const SAMPLE_BYTES = 2 ** 16;

/** The yardstick: device copies that move as many bytes as an operation has to, half of them read, half written. */
export interface Copy {
  /** Bytes that a copy reads and writes together. */
  readonly bytes: number;
  encode(pass: GPUComputePassEncoder): void;
  /** @throws Error  if a sample of the last copy differs from its source */
  verify(): Promise<void>;
  destroy(): void;
}

/** A copy of `bytes` bytes, rounded to quads and at most 2 GiB. Submits. */
export async function createCopy(gpu: Gpu, bytes: number): Promise<Copy> {
  const [copyQuads, writePositions] = await Promise.all([
    Kernel.create(gpu, source, 'copyQuads'),
    Kernel.create(gpu, source, 'writePositions'),
  ]);
  const {maxStorageBufferBindingSize, maxBufferSize} = gpu.device.limits;
  const most = Math.min(bytes / 2, MAX_BYTES_EACH_WAY, maxStorageBufferBindingSize, maxBufferSize);
  const quads = Math.max(1, Math.floor(most / QUAD_BYTES));
  const eachWay = quads * QUAD_BYTES;
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
  const [from, to] = ['source', 'destination'].map((name): GpuBuffer =>
    gpu.createBuffer(`bench/copy.${name}`, eachWay, usage),
  );
  const encoder = gpu.device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  writePositions.dispatchOver(pass, writePositions.bind({destination: from.buffer}), quads);
  pass.end();
  gpu.device.queue.submit([encoder.finish()]);
  const group = copyQuads.bind({source: from.buffer, destination: to.buffer});
  return {
    bytes: 2 * eachWay,
    encode: (current) => copyQuads.dispatchOver(current, group, quads),
    async verify() {
      using reader = new ReadBack(gpu, 'bench/copy');
      const words = new Uint32Array(Math.min(SAMPLE_BYTES, eachWay) / 4);
      const middle = Math.floor((eachWay - words.byteLength) / 2 / QUAD_BYTES) * QUAD_BYTES;
      for (const offset of [0, middle, eachWay - words.byteLength]) {
        await reader.read(to.buffer, words, offset);
        const wrong = words.findIndex((word, i) => word !== offset / 4 + i);
        if (wrong >= 0) throw new Error(`copied word ${offset / 4 + wrong} = ${words[wrong]}; expected its own index`);
      }
    },
    destroy: () => [from, to].forEach((one) => one.destroy()),
  };
}
