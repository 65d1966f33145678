// Programs that a bundler puts into one file, or a page loads.
import {build} from 'esbuild';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Pages} from '../../packages/conformance/src/browser/pages.ts';
import {BUNDLERS} from './bundlers.ts';
import {fail, print, run} from './run.ts';

/** Enough points for `auto` to try a GPU and threads. The last line is the same on every backend. */
const POINTS = `
const coords = new Float32Array(240_000).map((_, i) => Math.fround(Math.sin(i * 12.9898) * 43758.5453) % 1);
const points = {coords, dim: 2};
const params = {eps: 0.004, minPts: 5};
const sum = ({labels}) => labels.reduce((hash, label) => (Math.imul(hash, 31) + label) | 0, 7);
const show = (outcome) => console.log(outcome.backend, (outcome.fallback ?? []).map(({backend, reason}) => backend + ': ' + reason).join('; '));
`;

const PROGRAM = `
import {createDbscan, dbscan} from '@epsball/dbscan';
${POINTS}
async function main() {
  const alone = await dbscan(points, {...params, backend: 'sequential'});
  // A kept instance: one run alone would not pay for threads.
  const kept = await createDbscan();
  const any = await kept.run(points, params);
  kept.destroy();
  show(any);
  if (sum(any) !== sum(alone)) throw new Error('other labels than on the calling thread');
  const named = await dbscan(points, {...params, algorithm: 'pds', backend: 'workers', threads: 2}).catch((error) => error);
  console.log(named instanceof Error ? named.message : named.backend);
  if (!(named instanceof Error) && sum(named) !== sum(alone)) throw new Error('other labels on threads');
}
export const done = main();
await done;
`;

/**
 * A Node program in one file runs on threads, without `node_modules` beside it.
 *
 * @param consumer  with `@epsball/dbscan` installed
 * @param folder    created, for the file alone
 */
export async function checkNodeBundle(node: string, consumer: string, folder: string): Promise<void> {
  mkdirSync(folder);
  const entry = join(consumer, 'program.js');
  writeFileSync(entry, PROGRAM);
  const outfile = join(folder, 'program.mjs');
  await build({entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error'});
  const lines = run(node, [outfile], folder).trim().split('\n');
  // Without npm webgpu there is no GPU, on any machine.
  if (!lines[0].startsWith('workers gpu: no hardware WebGPU adapter')) fail(`the bundled program printed ${lines[0]}`);
  if (lines[1] !== 'workers') fail(`the bundled program printed ${lines[1]}; expected workers`);
}

const WITHOUT_GPU = `
import {dbscan} from '@epsball/dbscan';
${POINTS}
show(await dbscan(points, {...params, backend: 'auto'}));
const error = await dbscan(points, {...params, backend: 'gpu'}).catch((reason) => reason);
console.log(error.code, error.message);
`;

/**
 * With `@epsball/dbscan` alone, `auto` takes the CPU, and a named GPU says what to install.
 *
 * @param consumer  with `@epsball/dbscan` installed, and no `webgpu`
 */
export function checkWithoutGpu(node: string, consumer: string): void {
  writeFileSync(join(consumer, 'withoutGpu.js'), WITHOUT_GPU);
  const [chosen, named = ''] = run(node, ['withoutGpu.js'], consumer).trim().split('\n');
  if (!/^(?:sequential|workers)\b/.test(chosen)) fail(`without webgpu, auto took ${chosen}; expected the CPU`);
  if (!/^GPU_UNAVAILABLE .*\bnpm install webgpu@\d/.test(named)) fail(`without webgpu, a named GPU printed ${named}`);
  print('@epsball/dbscan alone: auto takes the CPU, a named GPU says what to install');
}

/** In a page, threads are Web Workers if it is cross-origin isolated. Else `auto` takes the calling thread. */
export async function checkPages(pages: Pages, consumer: string, served: string): Promise<void> {
  const entry = join(consumer, 'page.js');
  writeFileSync(entry, PROGRAM);
  await BUNDLERS.esbuild({page: entry}, served, consumer);
  const isolated = (await pages.run('/page.js', true)).split('\n');
  if (!isolated[0].startsWith('workers gpu: ') || isolated[1] !== 'workers')
    fail(`the isolated page printed ${isolated.join(' | ')}`);
  const other = (await pages.run('/page.js', false)).split('\n');
  if (!/^sequential gpu: .*workers: no shared memory; expected a cross-origin isolated page/.test(other[0])) {
    fail(`the page without isolation printed ${other.join(' | ')}`);
  }
  if (!other[1].startsWith('no shared memory')) fail(`a named backend in that page: ${other[1]}; expected an error`);
}

/** Bundles an example for a page. Returns its path below the served folder. */
export async function bundleExample(consumer: string, served: string, name: string): Promise<string> {
  await BUNDLERS.esbuild({[name]: join(consumer, 'js/example.js')}, join(served, name), consumer);
  return `/${name}/${name}.js`;
}
