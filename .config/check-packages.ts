// Checks what users get: builds and packs every published package, looks at each tarball with publint and
// are-the-types-wrong, then installs all of them in a bare folder with plain npm and runs a small program there.
import {spawnSync} from 'node:child_process';
import {existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, join} from 'node:path';

const ROOT = join(import.meta.dirname, '..');

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly packageManager?: string;
}

const CONSUMER = `
import {validatePoints} from '@epsball/clustering';
import {dbscan} from '@epsball/dbscan';

const points = {coords: new Float32Array([0, 0, 0, 1, 1, 0, 9, 9, 5, 5]), dim: 2};
validatePoints(points);
const {labels} = await dbscan(points, {eps: 1, minPts: 3, algorithm: 'sequential', backend: 'sequential'});
process.stdout.write(JSON.stringify([...labels]));
`;

/** One cluster of three points that touch at exactly eps, and two points of noise. */
const EXPECTED_LABELS = '[0,0,0,-1,-1]';

/** What a program without a GPU installs: no package of these may need one. */
const WITHOUT_GPU = [
  'clustering',
  'workers',
  'union-find',
  'spatial-grid',
  'quantile-directory',
  'cell-sets',
  'dbscan-pds',
  'dbscan-sequential',
];

const CONSUMER_WITHOUT_GPU = `
import {createPdsWorkers} from '@epsball/dbscan-pds/workers';
import {connectedComponents} from '@epsball/union-find';

connectedComponents(2, Uint32Array.of(0, 1));
const algorithm = createPdsWorkers({threads: 2});
const points = {coords: new Float32Array([0, 0, 0, 1, 1, 0, 9, 9, 5, 5]), dim: 2};
const {labels} = await algorithm.run(points, {eps: 1, minPts: 3});
for (const subpath of ['@epsball/union-find/gpu', '@epsball/spatial-grid/gpu']) {
  const error = await import(subpath).catch((reason) => reason);
  if (!/Cannot find package '@epsball\\/gpu/.test(error.message)) throw error;
}
process.stdout.write(JSON.stringify([...labels]));
`;

/** What a tarball may hold. */
const WANTED = /^package\/(?:(?:dist|docs|src|bin)\/|(?:package\.json|README\.md|LICENSE|CHANGELOG\.md)$)/;

const folders = globSync(['packages/*/package.json', 'apps/*/package.json'], {cwd: ROOT})
  .filter((path) => readManifest(path).private !== true)
  .map((path) => path.slice(0, -'/package.json'.length))
  .sort();
const temporary = mkdtempSync(join(tmpdir(), 'epsball-check-'));

try {
  const tarballs = packAll(join(temporary, 'tarballs'));
  for (const tarball of tarballs) checkTarball(tarball);
  runConsumer(join(temporary, 'consumer'), tarballs, CONSUMER);
  const few = tarballs.filter((tarball) => WITHOUT_GPU.some((name) => tarball.includes(`/epsball-${name}-`)));
  runConsumer(join(temporary, 'without-gpu'), few, CONSUMER_WITHOUT_GPU);
  if (existsSync(join(temporary, 'without-gpu/node_modules/webgpu'))) fail('packages for the CPU installed webgpu');
  print(`${tarballs.length} packages: built, packed, checked, installed and run`);
} catch (error) {
  process.stderr.write(`check-packages: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  rmSync(temporary, {recursive: true});
}

/** Builds from nothing, so that a tarball holds no output of a source file that is gone; returns the tarballs. */
function packAll(destination: string): string[] {
  for (const folder of folders) rmSync(join(ROOT, folder, 'dist'), {recursive: true, force: true});
  run('turbo', ['run', 'build', '--output-logs=errors-only'], ROOT);
  mkdirSync(destination);
  const filters = folders.map((folder) => `--filter=./${folder}`);
  pnpm(['--recursive', ...filters, 'pack', '--pack-destination', destination]);
  const tarballs = readdirSync(destination).map((file) => join(destination, file));
  if (tarballs.length !== folders.length) fail(`${tarballs.length} tarballs; expected ${folders.length}`);
  return tarballs.sort();
}

function checkTarball(tarball: string): void {
  const files = run('tar', ['-tzf', tarball], ROOT).trim().split('\n');
  for (const needed of ['package/package.json', 'package/README.md', 'package/LICENSE']) {
    if (!files.includes(needed)) fail(`${tarball} lacks ${needed}`);
  }
  // publint looks whether there is a file for each export.
  if (!files.some((file) => /^package\/dist\/.*\.js$/.test(file))) fail(`${tarball} lacks package/dist`);
  const stray = files.find((file) => !WANTED.test(file) || file.endsWith('.tsbuildinfo'));
  if (stray !== undefined) fail(`${tarball} holds ${stray}, which no user needs`);
  run('publint', ['run', tarball, '--strict'], ROOT);
  run('attw', [tarball, '--profile', 'esm-only', '--format', 'ascii'], ROOT);
}

/** Installs the tarballs as a user would and compares what the program prints. */
function runConsumer(folder: string, tarballs: readonly string[], program: string): void {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"name": "consumer", "private": true, "type": "module"}\n');
  writeFileSync(join(folder, 'main.js'), program);
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...tarballs], folder);
  const labels = run('node', ['main.js'], folder);
  if (labels !== EXPECTED_LABELS) fail(`the consumer printed ${labels}; expected ${EXPECTED_LABELS}`);
  print(`consumer: labels ${labels}`);
}

/** Runs the pinned pnpm. */
function pnpm(args: readonly string[]): void {
  const {packageManager = 'pnpm'} = readManifest('package.json');
  run('npx', ['-y', packageManager, ...args], ROOT);
}

/** Runs a command and returns what it prints; fails with all of it where the command fails. */
function run(command: string, args: readonly string[], cwd: string): string {
  const env = cwd === ROOT ? process.env : outsideEnv();
  const {status, stdout, stderr, error} = spawnSync(command, args, {cwd, env, encoding: 'utf8'});
  if (status !== 0) fail(`${command} ${args.join(' ')}\n${stdout}${stderr}${error?.message ?? ''}`);
  return stdout;
}

/** The environment without what a package manager put there: no `npm_*` settings, nothing of this workspace on PATH. */
function outsideEnv(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([key]) => !/^(?:npm_|pnpm_|NODE_OPTIONS$|INIT_CWD$)/i.test(key));
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((entry) => !entry.startsWith(ROOT));
  return {...Object.fromEntries(kept), PATH: path.join(delimiter)};
}

function readManifest(path: string): Manifest {
  const manifest: Manifest = JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
  return manifest;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(message: string): never {
  throw new Error(message);
}
