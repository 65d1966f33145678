// Builds the playground from the packed packages, as a user would with npm in a folder outside of the workspace, opens
// it in Chromium and clusters there, on worker threads too.
//
// node --conditions=@epsball/source .config/packedPlayground.ts
import {cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {openPlayground} from '../apps/playground/test/openPlayground.ts';
import {findChromium} from '../packages/conformance/src/browser/chromium.ts';
import {install} from './packages/install.ts';
import {TARBALLS} from './packages/installLine.ts';
import {linkTarballs, packAll} from './packages/pack.ts';
import {fail, print, ROOT} from './packages/run.ts';

const APP = join(ROOT, 'apps/playground');

/** What runs in the page, and what the line above the picture must say. */
const RUNS = [
  ['data=milanesi:n=100000&eps=0.06&minPts=8', /^13 clusters .* 100,000 points/],
  ['data=milanesi:n=100000&eps=0.06&minPts=8&algorithm=pds&backend=workers', /by pds on worker/],
  ['data=varied&eps=0.18&minPts=5&algorithm=dense-grid&backend=gpu', /by dense-grid on the GPU/],
] as const;

const temporary = mkdtempSync(join(tmpdir(), 'epsball-packed-'));
try {
  const root = join(temporary, 'playground');
  linkTarballs(packAll(join(temporary, 'packed')), join(root, TARBALLS));
  installPage(root);
  if (findChromium() === undefined) print('skipped: no Chromium is installed; the page was installed only');
  else await tryPage(root);
} finally {
  rmSync(temporary, {recursive: true});
}

/** Copies the page without its tests, and installs what it needs. */
function installPage(root: string): void {
  const manifest: Record<'dependencies' | 'devDependencies', Record<string, string>> = JSON.parse(
    readFileSync(join(APP, 'package.json'), 'utf8'),
  );
  const {dependencies, devDependencies} = manifest;
  const needed = Object.entries({...dependencies, vite: devDependencies['vite']});
  install(
    root,
    needed.map(([name, version]) => (name.startsWith('@epsball/') ? name : `${name}@${version}`)),
  );
  for (const name of ['src', 'public', 'index.html', 'vite.config.ts']) {
    cpSync(join(APP, name), join(root, name), {recursive: true});
  }
  const compilerOptions = {target: 'es2023', module: 'esnext', jsx: 'react-jsx', jsxImportSource: 'preact'};
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({compilerOptions}));
}

async function tryPage(root: string): Promise<void> {
  const playground = await openPlayground({root, from: 'dist'});
  try {
    for (const [fragment, expected] of RUNS) {
      const page = await playground.open(`#/explore?${fragment}`);
      await page.waitForSelector('.status[data-state=done], .status[data-state=failed]', {timeout: 120_000});
      const found = (await page.locator('.status').textContent()) ?? '';
      if (!expected.test(found)) fail(`${fragment}: ${found}; expected ${String(expected)}`);
      print(found);
    }
    if (playground.errors.length > 0) fail(`errors of the page: ${playground.errors.join('; ')}`);
  } finally {
    await playground.close();
  }
  print('the page was built from packed packages, and ran');
}
