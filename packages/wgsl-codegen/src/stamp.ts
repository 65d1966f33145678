// Generated modules are not in git. What they were made from, and what was made, is in a stamp. Each start of the
// command in a checkout loads this file, so it imports nothing that generates.
import {mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';

/** Below the workspace. */
const STAMP = 'node_modules/.cache/kernels.txt';

/** Whether no kernel, module or file of this tool has changed since the stamp, by names, sizes and times. */
export function isCurrent(root: string): boolean {
  try {
    return readFileSync(join(root, STAMP), 'utf8') === stampOf(listFiles(root));
  } catch {
    return false;
  }
}

/** The sources now. One that changes from here on differs from its line in the stamp. */
export function sourcesOf(root: string): readonly Entry[] {
  return listFiles(root).filter(([path]) => !isGenerated(path));
}

/** Records that the modules are made from these sources. */
export function writeStamp(root: string, sources: readonly Entry[]): void {
  const modules = listFiles(root).filter(([path]) => isGenerated(path));
  mkdirSync(dirname(join(root, STAMP)), {recursive: true});
  writeFileSync(join(root, STAMP), stampOf([...sources, ...modules]));
}

/** A file: its path below the workspace, and its line in the stamp. */
export type Entry = readonly [path: string, line: string];

function listFiles(root: string): Entry[] {
  const folders = ['packages', 'apps'].flatMap((parent) =>
    namesIn(join(root, parent)).flatMap((name) => [`${parent}/${name}/src`, `${parent}/${name}/test`]),
  );
  return folders.flatMap((folder) =>
    namesIn(join(root, folder), true)
      .filter((name) => /\.wgsl(?:\.ts)?$/.test(name) || folder === 'packages/wgsl-codegen/src')
      .flatMap((name) => entryOf(root, `${folder}/${name}`)),
  );
}

function namesIn(folder: string, recursive = false): string[] {
  try {
    return readdirSync(folder, {recursive, encoding: 'utf8'});
  } catch {
    return [];
  }
}

function entryOf(root: string, path: string): Entry[] {
  const stats = statSync(join(root, path), {throwIfNoEntry: false});
  return stats === undefined ? [] : [[path, `${path} ${stats.size} ${stats.mtimeMs}`]];
}

function isGenerated(path: string): boolean {
  return path.endsWith('.wgsl.ts');
}

function stampOf(entries: readonly Entry[]): string {
  return entries
    .map(([, line]) => line)
    .sort()
    .join('\n');
}
