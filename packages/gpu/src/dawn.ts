import {GpuUnavailableError} from '@epsball/clustering';

/** What we use of npm webgpu. */
interface Dawn {
  readonly create: (options: string[]) => GPU;
  readonly globals: object;
}

/** Options of Dawn that every instance gets. Raw timestamps: quantised ones come in steps of 65 µs. */
const DAWN_OPTIONS = ['disable-dawn-features=timestamp_quantization'];

/**
 * Instances live as long as the process. A `GPU` object that is collected while a device of it lives crashes or
 * hangs the process (npm webgpu 0.6.2), so they are pinned where no module reload loses them.
 */
const PINS = Symbol.for('epsball.gpu.instances');

type PinnedGlobal = typeof globalThis & {[PINS]?: Map<string, Promise<GPU>>};

/**
 * The process's `GPU` object for a driver configuration: `navigator.gpu` in a browser, else one Dawn instance per key.
 *
 * @param key           names the configuration; one instance each
 * @param extraOptions  further Dawn options, for example `backend=null`
 * @throws GpuUnavailableError  if Dawn cannot be loaded on this platform
 */
export async function gpuInstance(key: string, extraOptions: readonly string[] = []): Promise<GPU> {
  if (typeof navigator !== 'undefined' && 'gpu' in navigator && navigator.gpu) return navigator.gpu;
  const pinned: PinnedGlobal = globalThis;
  const instances = (pinned[PINS] ??= new Map());
  // The promise is kept, not its value: two callers at once must not make two instances and lose the pin of one.
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

/** `GPUBufferUsage` and its kin are globals in a browser; Node gets them once, never overwritten. */
function installConstants(globals: object): void {
  for (const [name, value] of Object.entries(globals)) {
    if (!(name in globalThis)) Object.defineProperty(globalThis, name, {value, configurable: true, writable: true});
  }
}
