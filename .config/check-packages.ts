// Checks what users get. Builds and packs every published package and looks at each tarball; installs packages in
// empty folders with plain npm and runs the examples of their READMEs there, as TypeScript and as JavaScript, on two
// Nodes and in Chromium; type-checks them; bundles every entry that a browser can use with four bundlers.
//
// node .config/check-packages.ts [--all | NAME…]: by default the examples of some packages; with names, only theirs,
// and nothing else but their tarballs
import {existsSync, mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {BUNDLERS, checkForNode, pageBytes, writeEntries} from './packages/bundlers.ts';
import {findChromium} from '../packages/conformance/src/browser/chromium.ts';
import {Pages} from '../packages/conformance/src/browser/pages.ts';
import {
  checkSyntax,
  checkTypes,
  comparePrinted,
  readExample,
  runExample,
  writeExample,
  type Example,
} from './packages/example.ts';
import {install, sizeOf} from './packages/install.ts';
import {TARBALLS} from './packages/installLine.ts';
import {checkTarball, linkTarballs, packAll, type Packed} from './packages/pack.ts';
import {checkCommand} from './packages/command.ts';
import {bundleExample, checkNodeBundle, checkPages, checkWithoutGpu} from './packages/programs.ts';
import {CommandError, fail, findNode, print} from './packages/run.ts';

/** Without `--all`: the command, the front door, and threads. */
const SOME = ['cli', 'dbscan', 'workers'];

/** Most megabytes of `node_modules` after `npm install` of one package. */
const INSTALL_MB = {
  '@epsball/dbscan': 15,
  '@epsball/datasets': 25,
  '@epsball/cli': 60,
  '@epsball/scale-out': 130,
} as const;
const INSTALL_MB_DEFAULT = 15;

/** Most kilobytes, minified and compressed, that a page loads at once. */
const PAGE_KB = 100;

/** Entries for Node alone: they read files, or take data from a package for Node. */
const NODE_ONLY = ['@epsball/cli', '@epsball/clustering/node', '@epsball/datasets/cities', '@epsball/scale-out'];

const isWhole = process.argv.includes('--all');
const named = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const temporary = mkdtempSync(join(tmpdir(), 'epsball-check-'));

try {
  await check();
} catch (error) {
  process.stderr.write(`check-packages: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  rmSync(temporary, {recursive: true});
}

async function check(): Promise<void> {
  const packed = packAll(join(temporary, 'packed'));
  // Consumers are folders of `temporary`, beside the clone that READMEs speak of.
  linkTarballs(packed, join(temporary, 'any', TARBALLS));
  const looked = packed.filter((one) => named.length === 0 || isChecked(one));
  for (const one of looked) checkTarball(one, isChecked(one));
  print(`${packed.length} packages: built and packed; tarballs checked: ${looked.length}`);
  const nodes = [process.execPath, findNode('22.23.3')];
  for (const node of nodes) checkSyntax(node, temporary);
  const chromium = findChromium();
  if (chromium === undefined) print('skipped: Chromium is not installed');
  const served = join(temporary, 'served');
  mkdirSync(served);
  const pages = chromium === undefined ? undefined : await Pages.open(chromium, served);
  try {
    if (named.length === 0) await checkTogether(packed, pages, served);
    const failed: string[] = [];
    for (const one of packed.filter(isChecked)) {
      try {
        await checkPackage(one, {nodes, pages, served});
      } catch (error) {
        failed.push(one.name);
        print(`${one.name}: FAILED ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    if (failed.length > 0) fail(`failed: ${failed.join(', ')}`);
  } finally {
    await pages?.close();
  }
}

async function checkTogether(packed: readonly Packed[], pages: Pages | undefined, served: string): Promise<void> {
  const together = join(temporary, 'together');
  install(
    together,
    packed.map(({name}) => name),
  );
  await checkNodeBundle(process.execPath, together, join(temporary, 'bundled'));
  print('a bundled Node program runs on threads, and falls back from a GPU');
  if (pages !== undefined) {
    await checkPages(pages, together, served);
    print('Chromium: Web Workers in an isolated page, the calling thread in another');
  }
  await checkBundles(together, packed);
}

function isChecked({name}: Packed): boolean {
  return isWhole || (named.length > 0 ? named : SOME).some((one) => name === `@epsball/${one}`);
}

async function checkBundles(consumer: string, packed: readonly Packed[]): Promise<void> {
  const entries = packed
    .flatMap(({name, subpaths}) => subpaths.map((subpath) => name + subpath.slice(1)))
    .filter((entry) => !NODE_ONLY.includes(entry) && !/^@epsball\/(cli|scale-out)/.test(entry));
  const modules = writeEntries(entries, consumer);
  for (const [name, build] of Object.entries(BUNDLERS)) {
    const outdir = join(temporary, `out-${name}`);
    await build(modules, outdir, consumer);
    checkForNode(outdir);
    print(`${name}: ${entries.length} entries, no built-in of Node`);
  }
  for (const [k, module] of Object.values(modules).entries()) {
    const size = await pageBytes(module);
    if (size > 1000 * PAGE_KB) fail(`a page with ${entries[k]} loads ${size} bytes; expected at most ${PAGE_KB} kB`);
  }
}

interface Context {
  readonly nodes: readonly string[];
  readonly pages: Pages | undefined;
  readonly served: string;
}

async function checkPackage(one: Packed, {nodes, pages, served}: Context): Promise<void> {
  const {name} = one;
  const short = name.replace('@epsball/', '');
  const alone = join(temporary, short);
  install(alone, [name]);
  const installed = sizeOf(join(alone, 'node_modules'));
  const limit = Object.entries(INSTALL_MB).find(([key]) => key === name)?.[1] ?? INSTALL_MB_DEFAULT;
  if (installed > 1e6 * limit) fail(`npm install ${name} = ${megabytes(installed)} MB; expected at most ${limit} MB`);
  if (existsSync(join(alone, 'node_modules/webgpu'))) fail(`npm install ${name} installed webgpu`);
  if (short === 'cli') {
    checkCommand(alone, temporary);
    return;
  }
  if (short === 'dbscan') checkWithoutGpu(process.execPath, alone);
  const example = readExample(one.folder) ?? fail(`${one.folder}/README.md has no <!-- install: … -->`);
  const consumer = example.specs.length === 1 ? alone : join(temporary, `${short}-example`);
  if (consumer !== alone) install(consumer, example.specs);
  writeExample(example, consumer);
  checkTypes(consumer);
  const ran = nodes.map((node) => runOn(node, example, consumer));
  const browser =
    pages === undefined || NODE_ONLY.includes(name) ? '–' : await runInPage(pages, example, consumer, served, short);
  print(`${name}: ${megabytes(installed)} MB installed; example ${ran.join(', ')}; Chromium ${browser}`);
}

function runOn(node: string, example: Example, consumer: string): string {
  try {
    for (const file of ['ts/example.ts', 'js/example.js']) runExample(node, example, file, consumer);
    return 'runs';
  } catch (error) {
    const isWithoutGpu = error instanceof CommandError && /no \S+ WebGPU adapter/.test(error.message);
    // CI sets the variable where it has installed the adapter for it.
    if (isWithoutGpu && process.env['EPSBALL_ADAPTER'] !== 'system-software') return 'skipped: no GPU';
    throw error;
  }
}

async function runInPage(
  pages: Pages,
  example: Example,
  consumer: string,
  served: string,
  name: string,
): Promise<string> {
  // Its tasks are a file of the reader, which a page needs as a text.
  if (example.files.size > 1) return '–';
  const printed = await pages.run(await bundleExample(consumer, served, name), true);
  comparePrinted(printed, example.printed, `${name} in Chromium`);
  return 'runs';
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
