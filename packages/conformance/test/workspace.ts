import {globSync, readFileSync} from 'node:fs';
import {join, resolve, sep} from 'node:path';
import {pathToFileURL} from 'node:url';

export const ROOT = join(import.meta.dirname, '../../..');

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly files?: readonly string[];
  readonly scripts?: Readonly<Record<string, string>>;
  readonly keywords?: readonly string[];
  readonly homepage?: string;
  readonly bugs?: string;
  readonly repository?: {readonly directory?: string};
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  /** Needed by subpaths only, such as `./gpu`. */
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, {readonly optional?: boolean}>>;
}

/** An import specifier, and the file that contains it, relative to the workspace. */
export interface Import {
  readonly file: string;
  readonly specifier: string;
}

export interface Package {
  /** name without the scope */
  readonly name: string;
  /** relative to the workspace */
  readonly folder: string;
  readonly manifest: Manifest;
  readonly srcImports: readonly Import[];
  readonly testImports: readonly Import[];
}

/** Every package of the workspace, by path. */
export function readPackages(): Package[] {
  const manifests = globSync(['packages/*/package.json', 'apps/*/package.json', 'benchmarks/package.json'], {
    cwd: ROOT,
  });
  return manifests.sort().map((path) => {
    const folder = path.slice(0, -'/package.json'.length);
    const manifest = JSON.parse(read(path)) as Manifest;
    const files = sourceFiles(folder);
    const isSource = (file: string): boolean => file.startsWith(`${folder}/src/`);
    const kernels = globSync(`${folder}/src/**/*.wgsl`, {cwd: ROOT});
    return {
      name: manifest.name.replace('@epsball/', ''),
      folder,
      manifest,
      srcImports: [...files.filter(isSource).flatMap(importsOf), ...kernels.flatMap(kernelImportsOf)],
      testImports: files.filter((file) => !isSource(file)).flatMap(importsOf),
    };
  });
}

/** TypeScript files that are not generated. */
export function sourceFiles(folder: string): string[] {
  return globSync(`${folder}/{src,test,scripts,bench}/**/*.{ts,tsx}`, {cwd: ROOT})
    .filter((file) => !file.endsWith('.wgsl.ts') && !file.includes('/fixtures/'))
    .sort();
}

/**
 * Static and dynamic imports of a TypeScript file. Anchored to the line start, so that examples in comments do not
 * count.
 */
function importsOf(file: string): Import[] {
  const text = read(file);
  const statements = text.matchAll(/^(?:import|export)\s(?:[^'";]*?\sfrom\s)?'([^']+)'/gm);
  const calls = text.matchAll(/^(?!\s*(?:\*|\/\/)).*\bimport\('([^']+)'\)/gm);
  return [...statements, ...calls].map((match) => ({file, specifier: match[1] ?? ''}));
}

/** Imports of a kernel from other packages, as specifiers of these packages. */
function kernelImportsOf(file: string): Import[] {
  const heads = [...read(file).matchAll(/^import\s+(\w+)::/gm)].map((match) => match[1] ?? '');
  return heads
    .filter((head) => head !== 'package')
    .map((head) => ({file, specifier: `@epsball/${head.replaceAll('_', '-')}`}));
}

/** A file of the workspace. */
export function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Imports a module of another package by path, because this package must not depend on the packages that it checks. */
async function importSource(path: string): Promise<unknown> {
  return import(/* @vite-ignore */ pathToFileURL(join(ROOT, path)).href);
}

/** The fields of a catalogue row that the checks use. */
interface Row {
  readonly id: string;
  readonly package: string;
  readonly backends: readonly string[];
  readonly on: Readonly<Record<string, {readonly maxDim: number} | undefined>>;
}

/** The catalogue of variants. */
export async function readCatalogue(): Promise<readonly Row[]> {
  const {catalogue} = (await importSource('packages/dbscan/src/index.ts')) as {catalogue: readonly Row[]};
  return catalogue;
}

/** Every variant on each of its backends, with the ids of the conformance tests in `packages/dbscan`. */
export async function catalogueSubjects(): Promise<{readonly id: string; readonly maxDim: number}[]> {
  const rows = await readCatalogue();
  return rows.flatMap(({id, backends, on}) =>
    backends.map((backend) => ({id: `${id}/${backend}`, maxDim: on[backend]?.maxDim ?? 0})),
  );
}

/** The workspace package that a specifier names, without the scope. */
export function packageOf(specifier: string): string | undefined {
  return /^@epsball\/([^/]+)/.exec(specifier)?.[1];
}

/** The workspace packages among dependencies, without the scope. */
export function workspaceNames(dependencies: Readonly<Record<string, string>> = {}): string[] {
  return Object.keys(dependencies)
    .map(packageOf)
    .filter((name) => name !== undefined)
    .sort();
}

/** The project references of a build. */
export function referencesOf(folder: string): string[] {
  const {references = []} = JSON.parse(read(`${folder}/tsconfig.build.json`)) as {references?: {path: string}[]};
  return references.map(({path}) => resolve(ROOT, folder, path, '..').split(sep).at(-1) ?? '').sort();
}
