import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {tarballName} from './installLine.ts';
import {fail, pnpm, publishedFolders, readManifest, ROOT, run} from './run.ts';

export interface Packed {
  readonly name: string;
  /** Relative to the repository. */
  readonly folder: string;
  readonly tarball: string;
  /** Subpaths that it exports, `.` first. */
  readonly subpaths: readonly string[];
}

const WANTED = /^package\/(?:(?:dist|docs|src|bin|types)\/|(?:package\.json|README\.md|LICENSE|CHANGELOG\.md)$)/;

/**
 * Builds the published packages from nothing, so that a tarball holds no output of a source file that is gone, and
 * packs them.
 *
 * @param destination  created
 */
export function packAll(destination: string): Packed[] {
  const folders = publishedFolders();
  for (const folder of folders) rmSync(join(ROOT, folder, 'dist'), {recursive: true, force: true});
  const filters = folders.map((folder) => `--filter=./${folder}`);
  run('turbo', ['run', 'build', '--output-logs=errors-only', ...filters], ROOT);
  mkdirSync(destination, {recursive: true});
  pnpm(['--recursive', ...filters, 'pack', '--pack-destination', destination]);
  const tarballs = readdirSync(destination);
  return folders.map((folder) => {
    const {name, publishConfig} = readManifest(`${folder}/package.json`);
    const prefix = tarballName(name).replace('.tgz', '-');
    const tarball = tarballs.find((file) => file.startsWith(prefix) && /^\d/.test(file.slice(prefix.length)));
    if (tarball === undefined) return fail(`${name} has no tarball`);
    return {name, folder, tarball: join(destination, tarball), subpaths: Object.keys(publishConfig?.exports ?? {})};
  });
}

/**
 * Writes the tarballs again, with dependencies on each other by path. Peers keep their versions: npm takes the package
 * that the user installs beside.
 *
 * @param packed  with the tarballs of all packages
 * @param folder  created where it is missing; receives `epsball-NAME.tgz`
 */
export function linkTarballs(packed: readonly Packed[], folder: string): void {
  mkdirSync(folder, {recursive: true});
  const names = new Set(packed.map(({name}) => name));
  for (const {name, tarball} of packed) {
    const temporary = mkdtempSync(join(tmpdir(), 'epsball-tarball-'));
    run('tar', ['-xzf', tarball, '-C', temporary], folder);
    const path = join(temporary, 'package/package.json');
    const manifest: {readonly dependencies?: Readonly<Record<string, string>>} = JSON.parse(readFileSync(path, 'utf8'));
    const linked = Object.entries(manifest.dependencies ?? {}).map(([other, version]) => [
      other,
      names.has(other) ? `file:${join(folder, tarballName(other))}` : version,
    ]);
    writeFileSync(path, `${JSON.stringify({...manifest, dependencies: Object.fromEntries(linked)}, null, 2)}\n`);
    run('tar', ['-czf', join(folder, tarballName(name)), '-C', temporary, 'package'], folder);
    rmSync(temporary, {recursive: true});
  }
}

/**
 * Looks at the files of a tarball, and at its exports with publint.
 *
 * @param types  whether to look at its types with are-the-types-wrong as well, which takes seconds
 */
export function checkTarball({tarball}: Packed, types: boolean): void {
  const files = run('tar', ['-tzf', tarball], ROOT).trim().split('\n');
  for (const needed of ['package/package.json', 'package/README.md', 'package/LICENSE']) {
    if (!files.includes(needed)) fail(`${tarball} lacks ${needed}`);
  }
  // publint looks whether there is a file for each export.
  if (!files.some((file) => /^package\/dist\/.*\.js$/.test(file))) fail(`${tarball} lacks package/dist`);
  const stray = files.find((file) => !WANTED.test(file) || file.endsWith('.tsbuildinfo'));
  if (stray !== undefined) fail(`${tarball} holds ${stray}, which no user needs`);
  run('publint', ['run', tarball, '--strict'], ROOT);
  if (types) run('attw', [tarball, '--profile', 'esm-only', '--format', 'ascii'], ROOT);
}
