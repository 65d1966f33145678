import {readdir} from 'node:fs/promises';
import {constants, homedir} from 'node:os';
import {join} from 'node:path';
import {refusedAccess} from '@epsball/clustering/node';
import {unpackBundledVulkan} from './bundled.ts';

/** Device nodes of GPUs on Linux: DRM, NVIDIA, WSL, AMD compute, phones and boards. */
const GPU_NODES = /^(dri|nvidia\d+|nvidiactl|dxg|kfd|mali\d*|kgsl.*|pvr.*)$/;

/**
 * Whether this machine may have a GPU. The check of /dev avoids loading Dawn on machines without one. Loading takes
 * 0.1 s and prints warnings about missing drivers, which cannot be disabled. True if /dev cannot be read, and on other
 * systems than Linux.
 */
export async function mayHaveGpu(): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  try {
    return (await readdir('/dev')).some((name) => GPU_NODES.test(name));
  } catch {
    return true;
  }
}

/**
 * Prepares Vulkan for Dawn on Linux. Vulkan needs a driver file where the loader searches for one, and a loader. If the
 * system has no loader, the bundled one is mapped.
 *
 * @returns what is missing; undefined if Vulkan is complete
 */
export async function missingVulkan(): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined;
  const missing = await missingDriverFile();
  if (missing !== undefined) return missing;
  if (mapLibrary('libvulkan.so.1')) return undefined;
  const bundled = await unpackBundledVulkan();
  return bundled && mapLibrary(bundled.loader) ? undefined : 'no Vulkan loader (libvulkan.so.1) installed';
}

/**
 * Looks for a driver file in the folders and variables that the Vulkan loader reads (LoaderDriverInterface.md).
 *
 * @returns  why there is none, or none was found; undefined if there is one
 */
async function missingDriverFile(): Promise<string | undefined> {
  const {env} = process;
  if (env.VK_DRIVER_FILES || env.VK_ICD_FILENAMES || env.VK_ADD_DRIVER_FILES) return undefined;
  const roots = [
    env.XDG_CONFIG_HOME ?? join(homedir(), '.config'),
    ...(env.XDG_CONFIG_DIRS ?? '/etc/xdg').split(':'),
    '/usr/local/etc',
    '/etc',
    env.XDG_DATA_HOME ?? join(homedir(), '.local/share'),
    ...(env.XDG_DATA_DIRS ?? '/usr/local/share:/usr/share').split(':'),
  ];
  let refused: string | undefined;
  for (const root of roots) {
    try {
      if ((await readdir(join(root, 'vulkan/icd.d'))).some((name) => name.endsWith('.json'))) return undefined;
    } catch (error) {
      refused ??= refusedAccess(error);
    }
  }
  return refused ?? 'no Vulkan driver installed';
}

/**
 * Maps a shared library into the process permanently, so that `dlopen` in Dawn finds it by name.
 *
 * `process.dlopen` throws, because the library does not register a Node module. It is mapped nevertheless.
 *
 * @returns whether the library is mapped
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
