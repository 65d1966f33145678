// Builds the page from the packed packages, as a user would with npm in a folder outside of the workspace, opens it in
// Chromium and clusters there, on worker threads too: `node --conditions=@epsball/source scripts/packed.ts [TARBALLS]`.
// TARBALLS is a folder with the packed packages. Default: they are packed from `dist`, after `pnpm build`.
import {spawnSync} from 'node:child_process';
import {cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Page} from 'playwright-core';
import {findChromium} from '@epsball/conformance/browser';
import {openPlayground} from '../test/openPlayground.ts';

const APP = join(import.meta.dirname, '..');
const WORKSPACE = join(APP, '../..');
const PATIENCE_MS = 120_000;

interface Manifest {
  readonly packageManager?: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** Runs in the page, and what the line above the picture must say. */
const RUNS = [
  {fragment: 'data=milanesi:n=100000&eps=0.06&minPts=8', expected: /^13 clusters .* 100,000 points/},
  {fragment: 'data=milanesi:n=100000&eps=0.06&minPts=8&algorithm=pds&backend=workers', expected: /by pds on worker/},
  {fragment: 'data=varied&eps=0.18&minPts=5&algorithm=dense-grid&backend=gpu', expected: /by dense-grid on the GPU/},
];

const folder = mkdtempSync(join(tmpdir(), 'epsball-packed-'));
try {
  const tarballs = process.argv[2] ?? pack(join(folder, 'tarballs'));
  const root = join(folder, 'playground');
  install(root, tarballs);
  if (findChromium() === undefined) print('skipped: no Chromium is installed; the page was installed only');
  else await tryPage(root);
} catch (error) {
  process.stderr.write(`packed: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  rmSync(folder, {recursive: true});
}

/** Builds the page, and runs in it. */
async function tryPage(root: string): Promise<void> {
  const playground = await openPlayground({root, from: 'dist'});
  try {
    for (const {fragment, expected} of RUNS) {
      const found = await statusOf(await playground.open(`#/explore?${fragment}`));
      if (!expected.test(found)) throw new Error(`${fragment}: ${found}; expected ${String(expected)}`);
      print(found);
    }
    if (playground.errors.length > 0) throw new Error(`errors of the page: ${playground.errors.join('; ')}`);
  } finally {
    await playground.close();
  }
  print('the page was built from packed packages, and ran');
}

async function statusOf(page: Page): Promise<string> {
  await page.waitForSelector('.status[data-state=done], .status[data-state=failed]', {timeout: PATIENCE_MS});
  return (await page.locator('.status').textContent()) ?? '';
}

function pack(destination: string): string {
  mkdirSync(destination);
  const {packageManager = 'pnpm'} = readManifest(WORKSPACE);
  const filters = ['--filter', '@epsball/playground^...'];
  run('npx', ['-y', packageManager, '--recursive', ...filters, 'pack', '--pack-destination', destination], WORKSPACE);
  return destination;
}

/** Copies the page without its tests, and installs the tarballs and what else it needs. */
function install(root: string, tarballs: string): void {
  mkdirSync(root);
  for (const name of ['src', 'public', 'index.html', 'vite.config.ts']) {
    cpSync(join(APP, name), join(root, name), {recursive: true});
  }
  const {dependencies, devDependencies} = readManifest(APP);
  const others = Object.entries(dependencies).filter(([name]) => !name.startsWith('@epsball/'));
  const manifest = {
    private: true,
    type: 'module',
    dependencies: {...Object.fromEntries(others), vite: devDependencies['vite']},
  };
  writeFileSync(join(root, 'package.json'), JSON.stringify(manifest));
  const options = {target: 'es2023', module: 'esnext', jsx: 'react-jsx', jsxImportSource: 'preact'};
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({compilerOptions: options}));
  const files = readdirSync(tarballs).filter((file) => file.endsWith('.tgz'));
  run(
    'npm',
    ['install', '--no-audit', '--no-fund', '--loglevel=error', ...files.map((file) => join(tarballs, file))],
    root,
  );
}

function run(command: string, args: readonly string[], cwd: string): void {
  const {status, stdout, stderr, error} = spawnSync(command, args, {cwd, encoding: 'utf8'});
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}${error?.message ?? ''}`);
}

function readManifest(at: string): Manifest {
  const manifest: Manifest = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'));
  return manifest;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
