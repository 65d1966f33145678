// The two engines of Node.
import {existsSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {MessageChannel, receiveMessageOnPort, Worker, type MessagePort} from 'node:worker_threads';
import {SOURCE_OPTIONS} from '@epsball/clustering/node';
import type {Piscina} from 'piscina';
import type * as serveMessages from '../serveMessages.ts';
import {moduleUrl, taskModule} from '../task.ts';
import type {StartThread, Thread, ThreadEvents} from '../threads.ts';

const SERVER = taskModule<typeof serveMessages>(import.meta.url, '../serveMessages');

/** What piscina loads on its threads: `.cts` in sources, `.cjs` in a build. */
export const MODULE: string = moduleUrl(import.meta.url, '../loadServe').replace(/(?=[jt]s$)/, 'c');

const OPTIONS: {execArgv?: string[]; resourceLimits: object} = {
  /**
   * Limits of a thread's own heap, in megabytes; bulk lies in shared memory. By default V8 lets the young generation
   * grow to tens of megabytes, and a thread that has run PDSDBSCAN takes 25 MB. With a limit of up to a gigabyte for
   * the old generation, Node takes 10 MB for an idle thread instead of 12.
   */
  resourceLimits: {maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 1024},
  ...SOURCE_OPTIONS,
};

/** Codes of an error for a module that is not there: of `require`, and of `import`. */
const NO_MODULE: readonly unknown[] = ['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND'];

/** Starts a worker thread of Node. Its modules may be texts, as in a bundle. */
export const startNodeWorker: StartThread = (start, events) => {
  const {url, code} = SERVER;
  const source = code === undefined ? url : `data:text/javascript,${encodeURIComponent(code)}`;
  const worker = new Worker(new URL(source), OPTIONS);
  const {port1, port2} = new MessageChannel();
  worker.postMessage({...start, port: port2}, [port2]);
  return watch(worker, port1, events);
};

/**
 * Starts threads on piscina: one piscina for each, so that an error of a thread that the system refuses is thrown here,
 * and not in an event handler of piscina. Its only task begins to serve.
 *
 * @param PiscinaClass  loaded on demand, because it does not survive bundling
 */
export function startOnPiscina(PiscinaClass: typeof Piscina): StartThread {
  return (start, events) => {
    const piscina = new PiscinaClass({
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: Infinity,
      // Otherwise an idle thread sleeps until its next task, and its event loop does not turn.
      atomics: 'disabled',
      recordTiming: false,
      trackUnmanagedFds: false,
      ...OPTIONS,
    });
    // Without a listener, the error of a thread without a task would end the process.
    piscina.on('error', () => {});
    const {port1, port2} = new MessageChannel();
    let isServing = false;
    let failure: unknown;
    piscina.run({...start, port: port2}, {filename: MODULE, name: 'serve', transferList: [port2]}).then(
      () => (isServing = true),
      (error) => {
        failure = error;
        return piscina.destroy();
      },
    );
    const thread = watch(piscina.threads[0], port1, {
      ...events,
      onDeath: (cause) => {
        const reason = failure ?? cause;
        events.onDeath(reason, !isServing && isMissingModule(reason) ? startNodeWorker : undefined);
      },
    });
    return {...thread, end: () => piscina.destroy()};
  };
}

function isMissingModule(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && NO_MODULE.includes(cause.code);
}

/** @param port  the near end of the channel to a thread */
function watch(worker: Worker, port: MessagePort, {onMessage, onMessageError, onDeath}: ThreadEvents): Thread {
  let failure: unknown;
  port.on('message', onMessage);
  port.on('messageerror', onMessageError);
  worker.on('error', (cause: unknown) => (failure = cause));
  worker.on('exit', (exitCode) => {
    for (let isEmpty = false; !isEmpty;) {
      try {
        const read = receiveMessageOnPort(port);
        if (read !== undefined) onMessage(read.message);
        isEmpty = read === undefined;
      } catch (error) {
        // The message has left the port.
        onMessageError(error);
      }
    }
    port.close();
    onDeath(failure ?? new Error(`a thread ended with exit code ${exitCode}`));
  });
  // The thread itself keeps the process alive, if it is held, until its end is reported.
  port.unref();
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    post: (order) => port.postMessage(order),
    hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
    end: () => worker.terminate(),
  };
}

/**
 * The class of piscina; undefined if the package or the file that its threads run is not there.
 *
 * Bundlers follow `createRequire` where they know it. The class that they put into a bundle looks for the file of its
 * threads in a folder that does not exist. So Node's own function is taken from where no bundler looks.
 *
 * @param from  URL of the module from which the package is resolved
 */
export function loadPiscina(from: string): typeof Piscina | undefined {
  try {
    const require = process.getBuiltinModule('node:module').createRequire(from);
    const entry = require.resolve('piscina');
    if (!existsSync(join(dirname(entry), 'worker.js'))) return undefined;
    const loaded: {readonly Piscina: typeof Piscina} = require(entry);
    return loaded.Piscina;
  } catch {
    return undefined;
  }
}
