import {createHash} from 'node:crypto';
import {existsSync, rmSync} from 'node:fs';
import {mkdtemp, readFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {homedir, tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {brotliDecompress} from 'node:zlib';
import {parseTar} from 'nanotar';
import {ensureFile, ensurePrivateFolder} from './privateFolder.ts';

/** The unpacked files of the bundled software Vulkan. */
export interface BundledVulkan {
  /** The Vulkan loader, for machines without one. */
  readonly loader: string;
  /** The ICD file of SwiftShader, for `VK_DRIVER_FILES`. */
  readonly icd: string;
}

const LOADER = 'libvulkan.so.1';
const ICD = 'vk_swiftshader_icd.json';
/** The files of the archive that Vulkan needs. */
const WANTED = ['libvk_swiftshader.so', LOADER, ICD];

/**
 * Unpacks SwiftShader and a Vulkan loader from the npm package `@sparticuz/chromium` into a cache that only this user
 * can write: `$XDG_CACHE_HOME/epsball` or `~/.cache/epsball`, else `epsball-<uid>` in the system's temporary folder,
 * else a new folder there, which is removed at the end of the process. Existing files are compared with the archive and
 * replaced if they differ. Concurrent calls and processes are safe.
 *
 * @returns undefined if the package is not installed. It is an optional peer (68 MB) for linux-x64 only
 * @throws Error  if no folder can be used; gives the reason for each
 * @complexity reads 1.6 MB, unpacks them to 7.5 MB and compares these: 30 to 120 ms
 */
export async function unpackBundledVulkan(): Promise<BundledVulkan | undefined> {
  const archive = bundledArchive();
  if (!archive) return undefined;
  const packed = await readFile(archive);
  const version = createHash('sha256').update(packed).digest('hex').slice(0, 16);
  const files = wantedFiles(await promisify(brotliDecompress)(packed));
  const failures: string[] = [];
  for (const cacheFolder of [userCache, temporaryCache, freshCache]) {
    try {
      const cache = await cacheFolder();
      const folder = join(cache, `swiftshader-${version}`);
      await ensurePrivateFolder(cache);
      await ensurePrivateFolder(folder);
      for (const [name, content] of files) await ensureFile(folder, name, content);
      return {loader: join(folder, LOADER), icd: join(folder, ICD)};
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(`no folder to unpack SwiftShader into (${failures.join('; ')})`);
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

function wantedFiles(tar: Uint8Array): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const {name, data} of parseTar(tar)) if (WANTED.includes(name) && data) files.set(name, data);
  const missing = WANTED.filter((name) => !files.has(name));
  if (missing.length > 0) throw new Error(`the archive of @sparticuz/chromium lacks ${missing.join(', ')}`);
  return files;
}

function userCache(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'epsball');
}

/** For a home folder that is not writable, as in many containers. Another user may have created this folder first. */
function temporaryCache(): string {
  return join(tmpdir(), `epsball-${process.getuid?.() ?? 'user'}`);
}

/** One folder a process, because a driver stays loaded as long as the process runs. */
let fresh: Promise<string> | undefined;

function freshCache(): Promise<string> {
  fresh ??= makeFreshCache().catch((error: unknown) => {
    fresh = undefined;
    throw error;
  });
  return fresh;
}

async function makeFreshCache(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'epsball-'));
  process.once('exit', () => rmSync(folder, {recursive: true, force: true}));
  return folder;
}
