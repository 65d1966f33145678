// What a GPU needs in Node: npm webgpu, Vulkan, and the environment. `browser.ts` has the same names.
import {GpuUnavailableError} from '@epsball/clustering';
import {refusedByNode} from '@epsball/clustering/node';
import {ADAPTER_VARIABLE, type AdapterKind} from '../adapterChoice.ts';
import {unpackBundledVulkan} from './bundled.ts';
import {mapLibrary, mayHaveGpu, missingVulkan} from './vulkan.ts';

export {touchPages} from './pages.ts';

interface Dawn {
  readonly create: (options: string[]) => GPU;
  readonly globals: object;
}

/** An optional peer, 130 MB. A variable, because bundlers follow literal names. */
const DAWN_PACKAGE: string = 'webgpu';

/** The line that installs npm webgpu in a version that is tested. */
const INSTALL_DAWN = 'npm install webgpu@0.6';

/** Options of every Dawn instance. Quantised timestamps would have steps of 65 µs. */
const DAWN_OPTIONS = ['disable-dawn-features=timestamp_quantization'];

/**
 * Key of the Dawn instances, which live as long as the process. If a `GPU` object is garbage-collected while one of its
 * devices lives, the process crashes or hangs (npm webgpu 0.6.2). A global pins them across reloads of this module.
 */
const PINS = Symbol.for('epsball.gpu.instances');

type PinnedGlobal = typeof globalThis & {[PINS]?: Map<string, Promise<GPU>>};

export function forcedAdapter(): string | undefined {
  return process.env[ADAPTER_VARIABLE];
}

/** The `GPU` object for a driver configuration: a global one if there is one, else one Dawn instance per key. */
export async function instanceFor(key: string, extraOptions: readonly string[]): Promise<GPU> {
  if (typeof navigator !== 'undefined' && 'gpu' in navigator && navigator.gpu) return navigator.gpu;
  const pinned: PinnedGlobal = globalThis;
  const instances = (pinned[PINS] ??= new Map());
  // Concurrent callers share the promise. Two instances for one key would lose the pin of one.
  let instance = instances.get(key);
  if (!instance) instances.set(key, (instance = createInstance(extraOptions)));
  try {
    return await instance;
  } catch (error) {
    // The package may be installed later, in a long-lived process.
    instances.delete(key);
    throw error;
  }
}

/** What adapters of this kind lack, found without loading Dawn; undefined if nothing is known to be missing. */
export async function missingFor(kind: AdapterKind): Promise<string | undefined> {
  const refused = refusedByNode('addon', 'the native addon of npm package webgpu');
  if (refused !== undefined || kind === 'bundled') return refused;
  if (kind === 'hardware' && !(await mayHaveGpu())) return 'no GPU device in /dev';
  return missingVulkan();
}

/** SwiftShader, with its own Dawn instance, because an instance reads the drivers from the environment at its start. */
export async function requestBundled(): Promise<GPUAdapter | null> {
  const bundled = await unpackBundledVulkan();
  if (!bundled) {
    throw new GpuUnavailableError(
      `npm package @sparticuz/chromium is not installed, or this is not linux-x64; ${INSTALL_DAWN} @sparticuz/chromium@153`,
    );
  }
  // The system's loader serves as well, if there is one.
  if (!mapLibrary('libvulkan.so.1')) mapLibrary(bundled.loader);
  const before = {files: process.env.VK_DRIVER_FILES, names: process.env.VK_ICD_FILENAMES};
  try {
    process.env.VK_DRIVER_FILES = bundled.icd;
    process.env.VK_ICD_FILENAMES = bundled.icd;
    const gpu = await instanceFor('bundled', []);
    return await gpu.requestAdapter();
  } finally {
    restore('VK_DRIVER_FILES', before.files);
    restore('VK_ICD_FILENAMES', before.names);
  }
}

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

async function createInstance(extraOptions: readonly string[]): Promise<GPU> {
  const {create, globals} = await loadDawn();
  installConstants(globals);
  return create([...DAWN_OPTIONS, ...extraOptions]);
}

async function loadDawn(): Promise<Dawn> {
  try {
    const dawn: Dawn = await import(/* webpackIgnore: true */ /* @vite-ignore */ DAWN_PACKAGE);
    return dawn;
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    const what = isMissing ? 'is not installed' : `does not load on ${process.platform}-${process.arch}`;
    throw new GpuUnavailableError(`npm package webgpu ${what}; ${INSTALL_DAWN}`, {cause: error});
  }
}

/** Defines `GPUBufferUsage` and the like, which are globals in a browser. Existing globals are kept. */
function installConstants(globals: object): void {
  for (const [name, value] of Object.entries(globals)) {
    if (!(name in globalThis)) Object.defineProperty(globalThis, name, {value, configurable: true, writable: true});
  }
}
