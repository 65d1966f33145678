import type {Gpu} from '@epsball/gpu';

const CODE = `
@group(0) @binding(0) var<storage, read_write> sink: array<f32>;
@compute @workgroup_size(256)
fn spin(@builtin(global_invocation_id) id: vec3u) {
  var x = f32(id.x);
  for (var k = 0u; k < 60000u; k++) { x = fma(x, 0.999, 0.5); }
  if (x == 0.123) { sink[0] = x; }
}`;

/**
 * Keeps a GPU busy with arithmetic for some milliseconds, so that its clock is high when the measured work begins. The
 * clock of a GPU that waits for its host falls: to 345 of 1,980 MHz on an H200, which makes kernels two to three times
 * as slow.
 */
export class GpuLoad {
  readonly #gpu: Gpu;
  readonly #createEncoder: () => GPUCommandEncoder;
  readonly #pipeline: GPUComputePipeline;
  readonly #group: GPUBindGroup;

  constructor(gpu: Gpu) {
    const {device} = gpu;
    const module = device.createShaderModule({code: CODE});
    this.#gpu = gpu;
    this.#createEncoder = device.createCommandEncoder.bind(device);
    this.#pipeline = device.createComputePipeline({layout: 'auto', compute: {module, entryPoint: 'spin'}});
    const buffer = device.createBuffer({size: 16, usage: GPUBufferUsage.STORAGE});
    const layout = this.#pipeline.getBindGroupLayout(0);
    this.#group = device.createBindGroup({layout, entries: [{binding: 0, resource: {buffer}}]});
  }

  /**
   * Submits work of some 2 ms on an H200 at full clock; does not wait. Software adapters have no such clock.
   *
   * @param share  of that work
   */
  submit(share = 1): void {
    if (this.#gpu.info.kind !== 'hardware') return;
    const encoder = this.#createEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(this.#pipeline);
    pass.setBindGroup(0, this.#group);
    pass.dispatchWorkgroups(Math.ceil(4096 * share));
    pass.end();
    this.#gpu.device.queue.submit([encoder.finish()]);
  }
}
