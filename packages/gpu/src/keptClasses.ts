/** Made with the module, so that nobody's asynchronous context is held with it. Browsers have none. */
const immediate = typeof setImmediate === 'function' ? setImmediate(() => {}) : undefined;

/** As long as their device is there. */
const held = new WeakMap<GPUDevice, readonly object[]>();

/**
 * Keeps one object of each class that runs make and let go, for as long as the device is there.
 *
 * V8 holds the hidden class of an object weakly, and compiled code that has met it depends on it. Where no object of a class is left when the heap is collected,
 * that code is thrown away, and the next run begins in the interpreter: what it records, and the loop in which Dawn waits for the device, which goes through
 * `setImmediate`.
 */
export function keepClasses(device: GPUDevice): void {
  if (held.has(device)) return;
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.end();
  encoder.finish();
  held.set(device, immediate ? [encoder, pass, immediate] : [encoder, pass]);
}
