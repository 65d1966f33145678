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
export function sourcesOf(root: string): readonly string[] {
  return listFiles(root).filter((line) => !GENERATED.test(line));
}

/** Records that the modules are made from these sources. */
export function writeStamp(root: string, sources: readonly string[]): void {
  const modules = listFiles(root).filter((line) => GENERATED.test(line));
  mkdirSync(dirname(join(root, STAMP)), {recursive: true});
  writeFileSync(join(root, STAMP), stampOf([...sources, ...modules]));
}

const GENERATED = /^\S+\.wgsl\.ts /;

/** The line of each file in the stamp: its path below the workspace, size and time. */
function listFiles(root: string): string[] {
  const folders = ['packages', 'apps'].flatMap((parent) =>
    namesIn(join(root, parent)).flatMap((name) => [`${parent}/${name}/src`, `${parent}/${name}/test`]),
  );
  return folders.flatMap((folder) =>
    namesIn(join(root, folder), true)
      .filter((name) => /\.wgsl(?:\.ts)?$/.test(name) || folder === 'packages/wgsl-codegen/src')
      .flatMap((name) => lineOf(root, `${folder}/${name}`)),
  );
}

function namesIn(folder: string, recursive = false): string[] {
  try {
    return readdirSync(folder, {recursive, encoding: 'utf8'});
  } catch {
    return [];
  }
}

function lineOf(root: string, path: string): string[] {
  const stats = statSync(join(root, path), {throwIfNoEntry: false});
  return stats === undefined ? [] : [`${path} ${stats.size} ${stats.mtimeMs}`];
}

function stampOf(lines: readonly string[]): string {
  return lines.toSorted().join('\n');
}
