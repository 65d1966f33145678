import {readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

/** What a disk, a copy or a user can do to a file of a run. */
export const DAMAGES = ['removed', 'emptied', 'cut', 'flipped'] as const;

export type Damage = (typeof DAMAGES)[number];

/** Damages a file. `random` gives numbers in [0, 1): where it is cut, and which bit is flipped. */
export function damageFile(path: string, damage: Damage, random: () => number): void {
  const {size} = statSync(path);
  if (damage === 'removed') rmSync(path);
  else if (damage === 'emptied' || size === 0) truncateSync(path, 0);
  else if (damage === 'cut') truncateSync(path, Math.floor(random() * size));
  else {
    const bytes = readFileSync(path);
    bytes[Math.floor(random() * size)] ^= 1 << Math.floor(random() * 8);
    writeFileSync(path, bytes);
  }
}

/** The files of a run, below its folder, by name: markers first. */
export function filesOfRun(folder: string): string[] {
  const names = readdirSync(folder, {recursive: true, withFileTypes: true});
  const files = names.filter((entry) => entry.isFile() && !entry.name.endsWith('.partial'));
  return files
    .map(({parentPath, name}) => join(parentPath, name))
    .sort((a, b) => order(a) - order(b) || (a < b ? -1 : 1));
}

function order(path: string): number {
  return Number(path.includes('/data/'));
}
