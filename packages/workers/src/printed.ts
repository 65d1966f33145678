// What tasks print. A thread of Node hands it to the calling thread, which writes it out.

export const IS_NODE: boolean = typeof process !== 'undefined' && process.versions?.node !== undefined;

/** Whether this thread has printed text that is not written out. Never in a browser. */
export function isPrinting(): boolean {
  return streams().some(({writableLength}) => writableLength > 0);
}

/** Waits until the text that tasks have printed is written out. */
export async function printed(): Promise<void> {
  for (const stream of streams()) await new Promise<void>((resolve) => stream.write('', () => resolve()));
}

function streams(): readonly NodeJS.WriteStream[] {
  return IS_NODE ? [process.stdout, process.stderr] : [];
}
