import {mkdirSync, readdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
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
    const prefix = `${name.replace('@', '').replace('/', '-')}-`;
    const tarball = tarballs.find((file) => file.startsWith(prefix) && /^\d/.test(file.slice(prefix.length)));
    if (tarball === undefined) return fail(`${name} has no tarball`);
    return {name, folder, tarball: join(destination, tarball), subpaths: Object.keys(publishConfig?.exports ?? {})};
  });
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
