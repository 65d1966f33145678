/** Bytes in parts. */
type Blocks = AsyncIterator<Uint8Array>;

/**
 * Decompresses a gzip file part by part, in Node and in pages.
 *
 * @throws Error  if the bytes are damaged or end early
 */
export async function* inflated(blocks: Blocks): AsyncGenerator<Uint8Array> {
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: async (controller) => {
      const {value, done} = await blocks.next();
      if (done === true) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
    cancel: async () => {
      await blocks.return?.();
    },
  });
  // Pages of some browsers cannot iterate over a stream.
  const reader = source.pipeThrough(new DecompressionStream('gzip')).getReader();
  try {
    for (;;) {
      const {value, done} = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (cause) {
    // Engines leave the message out.
    if (cause instanceof Error && cause.message !== '') throw cause;
    throw new Error('no gzip data, or damaged', {cause});
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
