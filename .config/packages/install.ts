import {lstatSync, mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {tarballOf} from './installLine.ts';
import {run} from './run.ts';

/**
 * Installs packages with plain npm in an empty folder, by the line that READMEs have until the first release: tarballs
 * of a clone that lies beside the folder.
 *
 * @param folder  created
 * @param specs   as in `<!-- install: SPECS -->`
 * @param cache   an empty folder, which receives what npm downloads. Default: the user's cache
 */
export function install(folder: string, specs: readonly string[], cache?: string): void {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({name: 'consumer', private: true, type: 'module'}));
  const from = cache === undefined ? ['--prefer-offline'] : ['--cache', cache];
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...from, ...specs.map(tarballOf)], folder);
}

export function sizeOf(folder: string): number {
  let bytes = 0;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stat = lstatSync(path);
    bytes += stat.isDirectory() ? sizeOf(path) : stat.size;
  }
  return bytes;
}
