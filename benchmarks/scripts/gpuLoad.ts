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
 * Returns a function that submits arithmetic of some 2 ms on an H200 and does not wait, so that the clock is high when
 * the measured work begins. The clock of a GPU that waits for its host falls: to 345 of 1,980 MHz on an H200, which
 * makes kernels two to three times as slow. Software adapters have no such clock.
 */
export function gpuLoad({device, info}: Gpu): () => void {
  if (info.kind !== 'hardware') return () => undefined;
  const module = device.createShaderModule({code: CODE});
  const pipeline = device.createComputePipeline({layout: 'auto', compute: {module, entryPoint: 'spin'}});
  const buffer = device.createBuffer({size: 16, usage: GPUBufferUsage.STORAGE});
  const layout = pipeline.getBindGroupLayout(0);
  const group = device.createBindGroup({layout, entries: [{binding: 0, resource: {buffer}}]});
  return () => {
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(4096);
    pass.end();
    device.queue.submit([encoder.finish()]);
  };
}
