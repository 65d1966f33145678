// The first module of a worker that piscina has not started: its first message is what `serve` takes. Loaded by path or
// as text, never imported.
import {serve} from './serve.ts';

const isNode = typeof process !== 'undefined' && process.versions?.node !== undefined;
/** The scope of a Web Worker, or the port of a worker thread of Node. */
const found: unknown = isNode ? process.getBuiltinModule('node:worker_threads').parentPort : globalThis;
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the types of both know other events
const scope = found as {onmessage: (event: {readonly data: Parameters<typeof serve>[0]}) => void};
// oxlint-disable-next-line unicorn/prefer-add-event-listener -- assigning also starts a port of Node
scope.onmessage = ({data}) => serve(data);
