import {createHash} from 'node:crypto';
import {existsSync} from 'node:fs';
import {mkdir, mkdtemp, readFile, rename, rm, writeFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {homedir, tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {brotliDecompress} from 'node:zlib';
import {parseTar} from 'nanotar';

/** What the bundled software Vulkan consists of, once unpacked. */
export interface BundledVulkan {
  /** The Vulkan loader, for machines without one. */
  readonly loader: string;
  /** The ICD file of SwiftShader, for `VK_DRIVER_FILES`. */
  readonly icd: string;
}

/** Of the archive's files, those that Vulkan needs. */
const WANTED = new Set(['libvk_swiftshader.so', 'libvulkan.so.1', 'vk_swiftshader_icd.json']);

/**
 * Unpacks SwiftShader and a Vulkan loader from the npm package `@sparticuz/chromium` into the user's cache, once per
 * version. Concurrent callers are safe: each unpacks into a directory of its own and renames it.
 *
 * @returns undefined where the package is not installed: it is an optional peer (68 MB), and holds linux-x64 only
 * @complexity 1.6 MB to read and 15 MB to write the first time, one stat after
 */
export async function unpackBundledVulkan(): Promise<BundledVulkan | undefined> {
  const archive = bundledArchive();
  if (!archive) return undefined;
  const packed = await readFile(archive);
  const version = createHash('sha256').update(packed).digest('hex').slice(0, 16);
  const cache = await writableCache();
  const home = join(cache, `swiftshader-${version}`);
  if (!existsSync(join(home, 'vk_swiftshader_icd.json'))) await unpackInto(home, packed);
  return {loader: join(home, 'libvulkan.so.1'), icd: join(home, 'vk_swiftshader_icd.json')};
}

function bundledArchive(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  try {
    const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
    const archive = join(dirname(entry), '..', 'bin', 'swiftshader.tar.br');
    return existsSync(archive) ? archive : undefined;
  } catch {
    return undefined;
  }
}

/** `$XDG_CACHE_HOME/epsball`, `~/.cache/epsball`, or a per-user directory under the temporary one. */
async function writableCache(): Promise<string> {
  const fallback = join(tmpdir(), `epsball-${process.getuid?.() ?? 'user'}`);
  const preferred = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'epsball');
  for (const directory of [preferred, fallback]) {
    try {
      await mkdir(directory, {recursive: true, mode: 0o700});
      return directory;
    } catch {
      // Read-only home, as in many containers: try the next.
    }
  }
  return fallback;
}

async function unpackInto(home: string, packed: Uint8Array): Promise<void> {
  const staging = await mkdtemp(`${home}.`);
  try {
    for (const {name, data} of parseTar(await promisify(brotliDecompress)(packed))) {
      if (WANTED.has(name) && data) await writeFile(join(staging, name), data, {mode: 0o755});
    }
    await rename(staging, home);
  } catch (error) {
    await rm(staging, {recursive: true, force: true});
    // Another process may have won the race; its copy is as good.
    if (!existsSync(join(home, 'vk_swiftshader_icd.json'))) throw error;
  }
}
