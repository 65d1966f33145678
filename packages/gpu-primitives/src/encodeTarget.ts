/** Where to record an operation: in a compute pass, or in an encoder, where the operation opens its own pass. */
export type EncodeTarget = GPUComputePassEncoder | GPUCommandEncoder;

/** Records into `target`. */
export function encodeInto<T>(target: EncodeTarget, label: string, record: (pass: GPUComputePassEncoder) => T): T {
  if ('dispatchWorkgroups' in target) return record(target);
  const pass = target.beginComputePass({label});
  try {
    return record(pass);
  } finally {
    pass.end();
  }
}
