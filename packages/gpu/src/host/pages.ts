import {open} from 'node:fs/promises';

/** Endless zeros on Linux and macOS. Open as long as the process. */
let zeros: ReturnType<typeof open> | undefined;

/**
 * Touches the pages of a new array: Node's own threads read zeros into it, four arrays at a time. The first touch of a
 * page takes longer than a copy into it (2 µs on a virtual machine), and the calling thread is free meanwhile.
 *
 * @param array  zeros, and for nobody else to write until this resolves
 */
export async function touchPages(array: Float64Array | Int32Array): Promise<void> {
  if (array.byteLength === 0) return;
  try {
    const file = await (zeros ??= open('/dev/zero'));
    await file.read(array, 0, array.byteLength, null);
  } catch {
    // The first writes touch the pages.
  }
}
