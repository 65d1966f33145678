import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, dirname, join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {ensurePrivateFolder, privateFolder} from '../src/node/index.ts';

const uid = process.getuid?.() ?? 0;

describe.skipIf(process.platform === 'win32')('a private folder', () => {
  let root: string;
  let temporary: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'epsball-private-test-'));
    temporary = join(root, 'tmp');
    mkdirSync(temporary);
    vi.stubEnv('TMPDIR', temporary);
    vi.stubEnv('XDG_CACHE_HOME', join(root, 'cache'));
  });

  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(root, {recursive: true, force: true});
  });

  it('is closed to other users, in the cache or in the temporary folder', async () => {
    const inCache = await privateFolder('one');
    vi.stubEnv('XDG_CACHE_HOME', '/dev/null');
    const folders = [inCache, await privateFolder('one')];
    expect(folders).toEqual([join(root, 'cache/epsball/one'), join(temporary, `epsball-${uid}/one`)]);
    for (const folder of folders) {
      for (const level of [folder, dirname(folder)]) expect(lstatSync(level).mode & 0o777).toBe(0o700);
    }
  });

  it('keeps what it holds', async () => {
    const folder = await privateFolder('kept');
    writeFileSync(join(folder, 'file'), 'own');
    expect(readdirSync(await privateFolder('kept'))).toEqual(['file']);
  });

  it.for([0o777, 0o770, 0o707])('is emptied if it was open to writers (mode %o)', async (mode) => {
    const folder = await privateFolder('open');
    mkdirSync(join(folder, 'inner'));
    writeFileSync(join(folder, 'inner/planted'), 'planted');
    chmodSync(folder, mode);
    expect(await privateFolder('open')).toBe(folder);
    expect(readdirSync(folder)).toEqual([]);
    expect(lstatSync(folder).mode & 0o777).toBe(0o700);
  });

  it('is closed and kept if others could only read it', async () => {
    const folder = await privateFolder('readable');
    writeFileSync(join(folder, 'file'), 'own');
    chmodSync(folder, 0o755);
    expect(readdirSync(await privateFolder('readable'))).toEqual(['file']);
    expect(lstatSync(folder).mode & 0o777).toBe(0o700);
  });

  it('follows no symbolic link, at either level', async () => {
    vi.stubEnv('XDG_CACHE_HOME', '/dev/null');
    const elsewhere = join(root, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, join(temporary, `epsball-${uid}`));
    const folder = await privateFolder('linked');
    expect(dirname(dirname(folder))).toBe(temporary);
    expect(basename(dirname(folder))).not.toBe(`epsball-${uid}`);
    rmSync(join(temporary, `epsball-${uid}`));
    mkdirSync(join(temporary, `epsball-${uid}`));
    symlinkSync(elsewhere, join(temporary, `epsball-${uid}`, 'linked'));
    expect(dirname(await privateFolder('linked'))).not.toBe(join(temporary, `epsball-${uid}`));
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(lstatSync(elsewhere).mode & 0o777).not.toBe(0o700);
  });

  // Only root can change the owner of a folder.
  it.runIf(uid === 0)('is not one of another user', async () => {
    vi.stubEnv('XDG_CACHE_HOME', '/dev/null');
    const planted = join(temporary, `epsball-${uid}`);
    mkdirSync(planted);
    chownSync(planted, 65_534, 65_534);
    await expect(ensurePrivateFolder(planted)).rejects.toThrow(`${planted} belongs to user 65534`);
    const folder = await privateFolder('owned');
    expect(folder.startsWith(planted)).toBe(false);
    expect(lstatSync(folder).uid).toBe(uid);
  });

  it('is at the next place if it cannot be filled', async () => {
    const tried: string[] = [];
    const folder = await privateFolder('full', async (one) => {
      tried.push(one);
      if (tried.length < 2) throw new Error('no space');
    });
    expect(tried).toEqual([join(root, 'cache/epsball/full'), folder]);
    const failing = privateFolder('full', () => Promise.reject(new Error('no space')));
    await expect(failing).rejects.toThrow('no private folder for full (no space; no space; no space)');
  });

  it.runIf(process.platform === 'linux')('is elsewhere if the cache is to be below /proc', async () => {
    vi.stubEnv('XDG_CACHE_HOME', '/proc/none');
    expect(await privateFolder('proc')).toBe(join(temporary, `epsball-${uid}/proc`));
  });

  it('refuses a name that leads elsewhere', async () => {
    await expect(privateFolder('../other')).rejects.toThrow('name = "../other"');
    expect(existsSync(join(root, 'cache/other'))).toBe(false);
  });
});
