import {writeModules, type Difference} from './generate.ts';
import {isCurrent, sourcesOf, writeStamp} from './stamp.ts';

/** `writeModules`, unless `isCurrent`. Returns the changed files. */
export async function makeCurrent(root: string): Promise<Difference[]> {
  if (isCurrent(root)) return [];
  const sources = sourcesOf(root);
  const differences = await writeModules(root);
  writeStamp(root, sources);
  return differences;
}
