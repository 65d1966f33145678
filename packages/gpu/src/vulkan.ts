import {readdir} from 'node:fs/promises';
import {constants, homedir} from 'node:os';
import {join} from 'node:path';
import {unpackBundledVulkan} from './bundled.ts';

/** Device nodes by which Linux offers GPUs: DRM, NVIDIA, Windows' (WSL), AMD compute, and those of phones and boards. */
const GPU_NODES = /^(dri|nvidia\d+|nvidiactl|dxg|kfd|mali\d*|kgsl.*|pvr.*)$/;

/**
 * Whether this machine may have a GPU. Looking in /dev spares machines without one the loading of Dawn, which takes 0.1 s
 * and prints warnings about missing drivers that nobody can switch off. True wherever that cannot be told.
 */
export async function mayHaveGpu(): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  return (await entries('/dev', true)).some((name) => GPU_NODES.test(name));
}

/**
 * Readies Vulkan for Dawn on Linux: there must be a driver's description where the loader looks for it, and a loader, for
 * which the bundled one stands in.
 *
 * @returns undefined, or what is missing
 */
export async function missingVulkan(): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined;
  if (!(await hasDriverFile())) return 'no Vulkan driver installed';
  if (mapLibrary('libvulkan.so.1')) return undefined;
  const bundled = await unpackBundledVulkan();
  return bundled && mapLibrary(bundled.loader) ? undefined : 'no Vulkan loader (libvulkan.so.1) installed';
}

/** Folders that the Vulkan loader searches (its LoaderDriverInterface.md), and variables that name files themselves. */
async function hasDriverFile(): Promise<boolean> {
  const {env} = process;
  if (env.VK_DRIVER_FILES || env.VK_ICD_FILENAMES || env.VK_ADD_DRIVER_FILES) return true;
  const roots = [
    env.XDG_CONFIG_HOME ?? join(homedir(), '.config'),
    ...(env.XDG_CONFIG_DIRS ?? '/etc/xdg').split(':'),
    '/usr/local/etc',
    '/etc',
    env.XDG_DATA_HOME ?? join(homedir(), '.local/share'),
    ...(env.XDG_DATA_DIRS ?? '/usr/local/share:/usr/share').split(':'),
  ];
  for (const root of roots) {
    if ((await entries(join(root, 'vulkan/icd.d'))).some((name) => name.endsWith('.json'))) return true;
  }
  return false;
}

async function entries(folder: string, isGpuAssumed = false): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch {
    return isGpuAssumed ? ['dri'] : [];
  }
}

/**
 * Maps a shared library into the process for good, so that Dawn's own `dlopen` by its name finds it.
 *
 * Node refuses the library because it registers no module; by then it is mapped, which is all that is wanted.
 *
 * @returns whether it is there
 */
export function mapLibrary(path: string): boolean {
  const RTLD_NODELETE = 0x1000;
  try {
    process.dlopen({exports: {}}, path, constants.dlopen.RTLD_NOW | constants.dlopen.RTLD_GLOBAL | RTLD_NODELETE);
    return true;
  } catch (error) {
    return error instanceof Error && error.message.includes('did not self-register');
  }
}
