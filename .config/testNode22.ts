// Runs the tests of published packages on Node 22, the oldest version that they support. The workspace installs
// Node 24; npx downloads Node 22, so that only these tests need it.
//
// pnpm test:node22 [FOLDER…] [--OPTION=VALUE…]: by default all published packages; options are vitest's
import {spawnSync} from 'node:child_process';
import {chmodSync, copyFileSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {findNode, publishedFolders, ROOT} from './packages/run.ts';

const VERSION = '22.23.3';

const named = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const options = process.argv.slice(2).filter((word) => word.startsWith('-'));
const folders = named.length > 0 ? named : publishedFolders().filter((folder) => folder.startsWith('packages/'));
// A copy that every user can run: some tests start it as another user, who may not read npm's cache.
const temporary = mkdtempSync(join(tmpdir(), 'epsball-node22-'));
chmodSync(temporary, 0o755);
const node = join(temporary, 'node');
copyFileSync(findNode(VERSION), node);
const failed = folders.filter((folder) => !runTests(folder));
rmSync(temporary, {recursive: true});
if (failed.length > 0) {
  process.stderr.write(`test:node22: failed in ${failed.join(', ')}\n`);
  process.exitCode = 1;
}

function runTests(folder: string): boolean {
  process.stdout.write(`${folder} on Node ${VERSION}\n`);
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--config', '../../.config/vitest.ts', ...options];
  return spawnSync(node, args, {cwd: join(ROOT, folder), stdio: 'inherit'}).status === 0;
}
