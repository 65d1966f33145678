// A thread that gets its orders as messages. Loaded by path or as text, never imported.
import type {OrderMessage, ThreadMessage} from './messageThreads.ts';
import {IS_NODE, isPrinting, printed} from './printed.ts';
import {takeChunks} from './takeChunks.ts';
import {enterWave, hasChunks, leaveWave} from './waveMemory.ts';

/** The part of a worker's global scope, or of a port of Node, that is used here. */
interface Port {
  onmessage: ((event: {readonly data: OrderMessage}) => void) | null;
  postMessage(message: ThreadMessage): void;
}

const port = findPort();
/** Orders are served one after another, also while a module is loaded. */
let served: Promise<void> = Promise.resolve();

// oxlint-disable-next-line unicorn/prefer-add-event-listener -- assigning also starts a port of Node
port.onmessage = ({data}) => {
  served = served.then(() => serve(data));
};

async function serve({order, thread}: OrderMessage): Promise<void> {
  enterWave(order.memory, thread);
  if (hasChunks(order.memory)) await takeChunks(order, thread, port);
  if (isPrinting()) await printed();
  leaveWave(order.memory, thread);
  port.postMessage({left: order.wave});
}

/** The scope of a Web Worker, or the port of a worker thread of Node; both have the part that `Port` describes. */
function findPort(): Port {
  const found: unknown = IS_NODE ? process.getBuiltinModule('node:worker_threads').parentPort : globalThis;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the types of both know other events
  return found as Port;
}
