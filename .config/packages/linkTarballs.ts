import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {tarballName} from './installLine.ts';
import type {Packed} from './pack.ts';
import {run} from './run.ts';

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
