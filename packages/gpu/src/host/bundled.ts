import {createHash} from 'node:crypto';
import {existsSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {brotliDecompress} from 'node:zlib';
import {GpuUnavailableError} from '@epsball/clustering';
import {ensureFile, privateFolder, refusedAccess} from '@epsball/clustering/node';
import {parseTar} from 'nanotar';

/** The unpacked files of the bundled software Vulkan. */
export interface BundledVulkan {
  readonly loader: string;
  /** The ICD file of SwiftShader, for `VK_DRIVER_FILES`. */
  readonly icd: string;
}

const LOADER = 'libvulkan.so.1';
const ICD = 'vk_swiftshader_icd.json';
const WANTED = ['libvk_swiftshader.so', LOADER, ICD];

/**
 * Unpacks SwiftShader and a Vulkan loader from npm `@sparticuz/chromium` into a private folder: 30 to 120 ms.
 *
 * @returns undefined if the package, an optional peer (68 MB) for linux-x64 only, is not installed
 */
export async function unpackBundledVulkan(): Promise<BundledVulkan | undefined> {
  const archive = bundledArchive();
  if (!archive) return undefined;
  const packed = await readFile(archive);
  const version = createHash('sha256').update(packed).digest('hex').slice(0, 16);
  const files = wantedFiles(await promisify(brotliDecompress)(packed));
  const folder = await privateFolder(`swiftshader-${version}`, async (place) => {
    for (const [name, content] of files) await ensureFile(place, name, content);
  });
  return {loader: join(folder, LOADER), icd: join(folder, ICD)};
}

function bundledArchive(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  try {
    const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
    const archive = join(dirname(entry), '..', 'bin', 'swiftshader.tar.br');
    return existsSync(archive) ? archive : undefined;
  } catch (error) {
    const refused = refusedAccess(error);
    if (refused !== undefined) throw new GpuUnavailableError(refused, {cause: error});
    return undefined;
  }
}

function wantedFiles(tar: Uint8Array): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const {name, data} of parseTar(tar)) if (WANTED.includes(name) && data) files.set(name, data);
  const missing = WANTED.filter((name) => !files.has(name));
  if (missing.length > 0) throw new Error(`the archive of @sparticuz/chromium lacks ${missing.join(', ')}`);
  return files;
}
