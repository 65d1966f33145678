import commonjs from '@rollup/plugin-commonjs';
import json from '@rollup/plugin-json';
import resolveNode from '@rollup/plugin-node-resolve';
import {build as esbuild} from 'esbuild';
import {globSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {gzipSync} from 'node:zlib';
import {rollup} from 'rollup';
import {build as vite} from 'vite';
import webpack from 'webpack';
import {fail} from './run.ts';

/** Entry modules of one build, by name. All are in the folder of an installed consumer. */
export type Entries = Readonly<Record<string, string>>;

/** A build of pages as each bundler does it without configuration. Writes into `outdir`. */
type Build = (entries: Entries, outdir: string, consumer: string) => Promise<void>;

const ESBUILD = {bundle: true, splitting: true, format: 'esm', minify: true, logLevel: 'error'} as const;

export const BUNDLERS: Readonly<Record<'esbuild' | 'vite' | 'webpack' | 'rollup', Build>> = {
  esbuild: async (entryPoints, outdir) => {
    await esbuild({...ESBUILD, entryPoints, outdir});
  },
  vite: async (entries, outdir, root) => {
    // As `vite build` of a page, but with an entry for each package instead of a page for each.
    const rolldownOptions = {input: entries, preserveEntrySignatures: 'strict' as const};
    await vite({root, configFile: false, logLevel: 'error', build: {outDir: outdir, rolldownOptions}});
  },
  webpack: async (entry, path, context) => {
    // Its minifier takes most of a minute, and nothing of it is checked.
    const optimization = {minimize: false};
    const compiler = webpack({mode: 'production', entry, context, output: {path}, performance: false, optimization});
    if (compiler === null) throw new Error('webpack made no compiler');
    const stats = await promisify((done: (error: Error | null, stats?: webpack.Stats) => void) => compiler.run(done))();
    if (stats?.hasErrors() !== false) fail(stats?.toString({all: false, errors: true}) ?? 'webpack made nothing');
  },
  rollup: async (input, dir) => {
    const bundle = await rollup({
      input,
      // rollup resolves no package without the first; `ml-matrix` is CommonJS, and the outlines of the world are JSON.
      plugins: [resolveNode(), commonjs(), json()],
      onLog: (_, {code, message}) => {
        if (code === 'UNRESOLVED_IMPORT' || code === 'MISSING_EXPORT') fail(message);
      },
    });
    await bundle.write({dir, format: 'es'});
  },
};

/** What only Node has. `process.getBuiltinModule` is behind a test for Node. */
const NODE_ONLY = /(?:from|import|require)\s*\(?\s*["'](?:node:|fs|os|path|worker_threads|webgpu|piscina)["']?/;

/** @throws Error  if a file of a browser bundle names a built-in of Node */
export function checkForNode(outdir: string): void {
  for (const file of globSync('**/*.js', {cwd: outdir})) {
    const found = NODE_ONLY.exec(readFileSync(join(outdir, file), 'utf8'));
    if (found !== null) fail(`${join(outdir, file)} holds ${found[0]}`);
  }
}

/** Bytes of an entry, minified and compressed: what a page loads at once, without the parts that load on demand. */
export async function pageBytes(module: string): Promise<number> {
  const {outputFiles, metafile} = await esbuild({
    ...ESBUILD,
    entryPoints: [module],
    outdir: '/out',
    write: false,
    metafile: true,
  });
  const text = new Map(outputFiles.map((file) => [file.path, file.contents]));
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const {path: next, kind} of metafile.outputs[path]?.imports ?? []) {
      if (kind === 'import-statement') visit(next);
    }
  };
  for (const [path, {entryPoint}] of Object.entries(metafile.outputs))
    if (entryPoint?.endsWith(module.split('/').at(-1) ?? '')) visit(path);
  const parts = [...seen].map((path) => [...text].find(([name]) => name.endsWith(path.split('/').at(-1) ?? ''))?.[1]);
  return gzipSync(Buffer.concat(parts.filter((part) => part !== undefined))).length;
}

/** Writes one module for each entry, which uses all that the entry exports. Returns the modules by name. */
export function writeEntries(specifiers: readonly string[], consumer: string): Entries {
  return Object.fromEntries(
    specifiers.map((specifier) => {
      const name = specifier.replaceAll(/[^a-z]+/g, '-').replace(/^-/, '');
      const file = join(consumer, `${name}.entry.js`);
      writeFileSync(file, `import * as all from '${specifier}';\nglobalThis.all = all;\n`);
      return [name, file];
    }),
  );
}
