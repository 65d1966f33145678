// The command, as a reader of the guides types it.
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Places} from './panels.ts';

const COMMAND = join(import.meta.dirname, '../../../cli/bin/epsball.mjs');

export function epsball(args: readonly string[], folder: string): void {
  execFileSync(process.execPath, [COMMAND, ...args], {cwd: folder, stdio: ['ignore', 'ignore', 'inherit']});
}

/** The points of a generated dataset in the plane. */
export function generatePlaces(spec: string): Places {
  const folder = mkdtempSync(join(tmpdir(), 'epsball-pictures-'));
  try {
    epsball(['generate', spec, '--out', 'points.csv'], folder);
    const [, ...rows] = readFileSync(join(folder, 'points.csv'), 'utf8').trim().split('\n');
    return rows.map((row) => {
      const [x, y] = row.split(',').map(Number);
      return [x, y] as const;
    });
  } finally {
    rmSync(folder, {recursive: true});
  }
}
