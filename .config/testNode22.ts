// Runs the tests of published packages on Node 22, the oldest version that they support. The workspace installs
// Node 24; npx downloads Node 22, so that only these tests need it.
//
// pnpm test:node22 [FOLDER…] [--OPTION=VALUE…]: by default all published packages; options are vitest's
import {spawnSync} from 'node:child_process';
import {chmodSync, copyFileSync, globSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const PACKAGE = `node-${process.platform}-${process.arch}@22.23.3`;

const named = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const options = process.argv.slice(2).filter((word) => word.startsWith('-'));
const folders = named.length > 0 ? named : publishedFolders();
// A copy that every user can run: some tests start it as another user, who may not read npm's cache.
const temporary = mkdtempSync(join(tmpdir(), 'epsball-node22-'));
chmodSync(temporary, 0o755);
const node = join(temporary, 'node');
copyFileSync(findNode(), node);
const failed = folders.filter((folder) => !runTests(folder));
rmSync(temporary, {recursive: true});
if (failed.length > 0) {
  process.stderr.write(`test:node22: failed in ${failed.join(', ')}\n`);
  process.exitCode = 1;
}

function publishedFolders(): string[] {
  const isPublished = (path: string): boolean => {
    const manifest: {readonly private?: boolean} = JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
    return manifest.private !== true;
  };
  const manifests = globSync('packages/*/package.json', {cwd: ROOT}).filter(isPublished);
  return manifests.map((path) => path.slice(0, -'/package.json'.length)).sort();
}

/** Path of Node 22. Runs outside the workspace, because there Node 24 comes first. */
function findNode(): string {
  const {stdout, stderr, status} = spawnSync('npx', ['-y', '-p', PACKAGE, '-c', 'command -v node'], {
    cwd: tmpdir(),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`npx found no ${PACKAGE}\n${stderr}`);
  return stdout.trim();
}

function runTests(folder: string): boolean {
  process.stdout.write(`${folder} on ${PACKAGE}\n`);
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--config', '../../.config/vitest.ts', ...options];
  return spawnSync(node, args, {cwd: join(ROOT, folder), stdio: 'inherit'}).status === 0;
}
