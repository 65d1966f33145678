/** Groups alive at which V8 is asked to collect, and after which it is asked again. */
const MOST = 8192;
const AGAIN = 2048;
/** V8 collects when its external memory has grown by so much, in Node 22, too. Nothing touches the pages: no memory. */
const PRESSURE_BYTES = 512 * 2 ** 20;

let live = 0;
let sinceAsked = 0;
const collected = new FinalizationRegistry(() => void live--);

/**
 * Makes V8 collect bind groups that nothing holds before there are too many. WebGPU cannot destroy one, V8 sees small
 * objects and may wait for minutes, and lavapipe maps a page for each: it crashes where Linux refuses a process more
 * than 65,530 mappings.
 */
export function noteGroup(group: GPUBindGroup): void {
  collected.register(group, undefined);
  live++;
  if (++sinceAsked < AGAIN || live < MOST) return;
  sinceAsked = 0;
  try {
    // oxlint-disable-next-line no-new -- V8 counts it when it is made
    new ArrayBuffer(PRESSURE_BYTES);
  } catch {
    // Without so much address space V8 collects by itself.
  }
}
