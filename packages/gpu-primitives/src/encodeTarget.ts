/** Where an operation is recorded: into a compute pass, or into an encoder, where it opens a pass of its own. */
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
