import {lstatSync, mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Packed} from './pack.ts';
import {run} from './run.ts';

/**
 * Installs packages as a user would, with plain npm in an empty folder. Packages of the workspace come from their
 * tarballs, also as dependencies of others.
 *
 * @param folder  created
 * @param specs   as a user types them after `npm install`
 * @param cache   an empty folder, which receives what npm downloads. Default: the user's cache
 */
export function install(folder: string, specs: readonly string[], packed: readonly Packed[], cache?: string): void {
  mkdirSync(folder);
  const files = Object.fromEntries(packed.map(({name, tarball}) => [name, `file:${tarball}`]));
  const dependencies = Object.fromEntries(specs.filter((spec) => spec in files).map((spec) => [spec, files[spec]]));
  // npm takes an override of a direct dependency only if it equals the dependency.
  const manifest = {name: 'consumer', private: true, type: 'module', dependencies, overrides: files};
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const others = specs.filter((spec) => !(spec in files));
  const from = cache === undefined ? ['--prefer-offline'] : ['--cache', cache];
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...from, ...others], folder);
}

/** Bytes of all files below a folder. */
export function sizeOf(folder: string): number {
  let bytes = 0;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stat = lstatSync(path);
    bytes += stat.isDirectory() ? sizeOf(path) : stat.size;
  }
  return bytes;
}
