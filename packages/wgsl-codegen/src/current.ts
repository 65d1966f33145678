import {writeModules, type Difference} from './generate.ts';
import {isCurrent, sourcesOf, writeStamp} from './stamp.ts';

/**
 * `writeModules`, unless `isCurrent`.
 *
 * @returns  the changed files, sorted by path
 * @throws CodegenError  for a kernel that does not link or reflect; then no file is written
 */
export async function makeCurrent(root: string): Promise<Difference[]> {
  if (isCurrent(root)) return [];
  const sources = sourcesOf(root);
  const differences = await writeModules(root);
  writeStamp(root, sources);
  return differences;
}
