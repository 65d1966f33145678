import {readdir} from 'node:fs/promises';
import {constants, homedir} from 'node:os';
import {join} from 'node:path';
import {refusedAccess} from '@epsball/clustering/node';
import {unpackBundledVulkan} from './bundled.ts';

/** Device nodes of GPUs on Linux: DRM, NVIDIA, WSL, AMD compute, phones and boards. */
const GPU_NODES = /^(dri|nvidia\d+|nvidiactl|dxg|kfd|mali\d*|kgsl.*|pvr.*)$/;

/** The check of /dev avoids loading Dawn, which takes 0.1 s and prints warnings, on machines without a GPU. */
export async function mayHaveGpu(): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  try {
    return (await readdir('/dev')).some((name) => GPU_NODES.test(name));
  } catch {
    return true;
  }
}

/** Maps the bundled Vulkan loader if the system has none. Returns what is missing for Vulkan. */
export async function missingVulkan(): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined;
  const missing = await missingDriverFile();
  if (missing !== undefined) return missing;
  if (mapLibrary('libvulkan.so.1')) return undefined;
  const bundled = await unpackBundledVulkan();
  return bundled && mapLibrary(bundled.loader) ? undefined : 'no Vulkan loader (libvulkan.so.1) installed';
}

/** Looks where the Vulkan loader does (LoaderDriverInterface.md). Returns why there is no driver file. */
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

/** Maps a library permanently, so that `dlopen` in Dawn finds it by name. `process.dlopen` throws, but maps it. */
export function mapLibrary(path: string): boolean {
  const RTLD_NODELETE = 0x1000;
  try {
    process.dlopen({exports: {}}, path, constants.dlopen.RTLD_NOW | constants.dlopen.RTLD_GLOBAL | RTLD_NODELETE);
    return true;
  } catch (error) {
    return error instanceof Error && error.message.includes('did not self-register');
  }
}
