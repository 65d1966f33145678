import {createHash} from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, dirname, join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {unpackBundledVulkan} from '../src/host/bundled.ts';

const uid = process.getuid?.() ?? 0;
const LIBRARY = 'libvk_swiftshader.so';
const FILES = [LIBRARY, 'libvulkan.so.1', 'vk_swiftshader_icd.json'];

/** The folder that a call unpacked into. */
async function unpack(): Promise<string> {
  const bundled = await unpackBundledVulkan();
  if (bundled === undefined) throw new Error('the package @sparticuz/chromium is not installed');
  return dirname(bundled.icd);
}

/** Hashes of the files, because vitest takes seconds to print a difference of megabytes. */
function contents(folder: string): string[] {
  return FILES.map((name) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex'),
  );
}

describe.runIf(process.platform === 'linux' && process.arch === 'x64')('the bundled Vulkan', () => {
  let root: string;
  let temporary: string;
  /** Content of the archive, unpacked into an empty folder. */
  let pristine: string;

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'epsball-bundled-test-'));
    temporary = join(root, 'tmp');
    mkdirSync(temporary);
    vi.stubEnv('TMPDIR', temporary);
    vi.stubEnv('XDG_CACHE_HOME', join(root, 'cache'));
    pristine = await unpack();
  });

  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(root, {recursive: true, force: true});
  });

  /** Creates a folder with the name of the cache in the temporary folder, with other files than the archive's. */
  function plant(): string {
    vi.stubEnv('XDG_CACHE_HOME', '/dev/null');
    const planted = join(temporary, `epsball-${uid}`, basename(pristine));
    mkdirSync(planted, {recursive: true});
    for (const name of FILES) writeFileSync(join(planted, name), 'planted');
    return planted;
  }

  it('is in a folder that other users can neither read nor write', () => {
    for (const folder of [pristine, dirname(pristine)]) expect(lstatSync(folder).mode & 0o777).toBe(0o700);
  });

  it('is repaired if a file is missing, truncated or different', async () => {
    const wanted = contents(pristine);
    rmSync(join(pristine, LIBRARY));
    expect(contents(await unpack())).toEqual(wanted);
    truncateSync(join(pristine, LIBRARY), 1000);
    expect(contents(await unpack())).toEqual(wanted);
    const loader = join(pristine, 'libvulkan.so.1');
    writeFileSync(loader, Buffer.alloc(lstatSync(loader).size));
    expect(contents(await unpack())).toEqual(wanted);
  });

  it('replaces planted files in a cache that was open to other users, and closes the cache', async () => {
    const planted = plant();
    for (const folder of [planted, dirname(planted)]) chmodSync(folder, 0o777);
    const folder = await unpack();
    expect(contents(folder)).toEqual(contents(pristine));
    expect(folder).toBe(planted);
    for (const one of [folder, dirname(folder)]) expect(lstatSync(one).mode & 0o777).toBe(0o700);
  });

  it('does not follow a symbolic link to a folder of files', async () => {
    const planted = plant();
    const elsewhere = join(root, 'elsewhere');
    cpSync(dirname(planted), elsewhere, {recursive: true});
    rmSync(dirname(planted), {recursive: true});
    symlinkSync(elsewhere, dirname(planted));
    const folder = realpathSync(await unpack());
    expect(folder.startsWith(elsewhere)).toBe(false);
    expect(lstatSync(dirname(folder)).mode & 0o777).toBe(0o700);
    expect(contents(folder)).toEqual(contents(pristine));
    expect(readFileSync(join(elsewhere, basename(planted), LIBRARY), 'utf8')).toBe('planted');
  });

  // Only root can change the owner of a folder.
  it.runIf(uid === 0)('does not use a folder of another user', async () => {
    const planted = plant();
    chownSync(dirname(planted), 65_534, 65_534);
    const folder = await unpack();
    expect(folder.startsWith(dirname(planted))).toBe(false);
    expect(lstatSync(dirname(folder)).uid).toBe(uid);
    expect(contents(folder)).toEqual(contents(pristine));
  });

  it('does not use a symbolic link in place of a file', async () => {
    const copy = join(root, 'copy');
    renameSync(join(pristine, LIBRARY), copy);
    symlinkSync(copy, join(pristine, LIBRARY));
    const folder = await unpack();
    expect(lstatSync(join(folder, LIBRARY)).isFile()).toBe(true);
  });

  it('serves many concurrent calls', async () => {
    vi.stubEnv('XDG_CACHE_HOME', join(root, 'shared'));
    const folders = await Promise.all(Array.from({length: 4}, unpack));
    expect(new Set(folders).size).toBe(1);
    expect(contents(folders[0])).toEqual(contents(pristine));
  });
});
