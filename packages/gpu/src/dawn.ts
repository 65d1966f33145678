import {GpuUnavailableError} from '@epsball/clustering';

/** The part of npm webgpu that is used here. */
interface Dawn {
  readonly create: (options: string[]) => GPU;
  readonly globals: object;
}

/** Options of every Dawn instance. Quantised timestamps would have steps of 65 µs. */
const DAWN_OPTIONS = ['disable-dawn-features=timestamp_quantization'];

/**
 * Key of the Dawn instances, which live as long as the process. If a `GPU` object is garbage-collected while one of its
 * devices lives, the process crashes or hangs (npm webgpu 0.6.2). A global pins them across reloads of this module.
 */
const PINS = Symbol.for('epsball.gpu.instances');

type PinnedGlobal = typeof globalThis & {[PINS]?: Map<string, Promise<GPU>>};

/**
 * The `GPU` object for a driver configuration: `navigator.gpu` in a browser, else one Dawn instance per key.
 *
 * @param key           name of the configuration
 * @param extraOptions  further Dawn options, for example `backend=null`
 * @throws GpuUnavailableError  if Dawn cannot be loaded on this platform
 */
export async function gpuInstance(key: string, extraOptions: readonly string[] = []): Promise<GPU> {
  if (typeof navigator !== 'undefined' && 'gpu' in navigator && navigator.gpu) return navigator.gpu;
  const pinned: PinnedGlobal = globalThis;
  const instances = (pinned[PINS] ??= new Map());
  // Concurrent callers share the promise. Two instances for one key would lose the pin of one.
  let instance = instances.get(key);
  if (!instance) instances.set(key, (instance = createInstance(extraOptions)));
  return instance;
}

async function createInstance(extraOptions: readonly string[]): Promise<GPU> {
  const {create, globals} = await loadDawn();
  installConstants(globals);
  return create([...DAWN_OPTIONS, ...extraOptions]);
}

async function loadDawn(): Promise<Dawn> {
  try {
    return await import('webgpu');
  } catch (error) {
    throw new GpuUnavailableError(`npm webgpu does not load on ${process.platform}-${process.arch}`, {cause: error});
  }
}

/** Defines `GPUBufferUsage` and the like, which are globals in a browser. Existing globals are kept. */
function installConstants(globals: object): void {
  for (const [name, value] of Object.entries(globals)) {
    if (!(name in globalThis)) Object.defineProperty(globalThis, name, {value, configurable: true, writable: true});
  }
}
