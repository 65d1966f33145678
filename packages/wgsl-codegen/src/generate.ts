import {existsSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {CodegenError} from './codegenError.ts';
import {emitModule} from './emit.ts';
import {fileName, linkKernel, type PackageSources} from './link.ts';
import {reflectKernel} from './reflect.ts';

/** One generated file that differs from what its kernel says. Paths are relative to the workspace. */
export interface Difference {
  readonly file: string;
  /** `orphaned`: its kernel is gone, or has no entry point any more */
  readonly kind: 'missing' | 'stale' | 'orphaned';
}

/**
 * Compares every generated file with its kernel.
 *
 * @param root  the workspace; holds `packages/`
 * @returns     what is missing, stale or orphaned, by path; empty when all is current
 * @throws CodegenError  for a kernel that does not link or reflect
 */
export async function findDifferences(root: string): Promise<Difference[]> {
  const wanted = await generateModules(root);
  return differencesFrom(root, wanted);
}

/**
 * Writes every generated file that is missing or stale, and removes the orphaned ones.
 *
 * @param root  the workspace; holds `packages/`
 * @returns     what was changed, by path
 * @throws CodegenError  for a kernel that does not link or reflect; nothing is written then
 */
export async function writeModules(root: string): Promise<Difference[]> {
  const wanted = await generateModules(root);
  const differences = differencesFrom(root, wanted);
  for (const {file} of differences) {
    const text = wanted.get(file);
    if (text === undefined) rmSync(join(root, file));
    else writeFileSync(join(root, file), text);
  }
  return differences;
}

function differencesFrom(root: string, wanted: ReadonlyMap<string, string>): Difference[] {
  const differences: Difference[] = [];
  for (const [file, text] of wanted) {
    const path = join(root, file);
    if (!existsSync(path)) differences.push({file, kind: 'missing'});
    else if (readFileSync(path, 'utf8') !== text) differences.push({file, kind: 'stale'});
  }
  for (const file of globSync('packages/*/{src,test}/**/*.wgsl.ts', {cwd: root})) {
    if (!wanted.has(file) && !isFixture(file)) differences.push({file, kind: 'orphaned'});
  }
  return differences.sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** Text of every generated file, by path relative to the workspace. */
async function generateModules(root: string): Promise<Map<string, string>> {
  const packages = readPackages(root);
  const modules = new Map<string, string>();
  for (const {folder, files} of packages) {
    for (const [path, source] of files) {
      if (!hasEntryPoint(source)) continue;
      modules.set(`${fileName(folder, path)}.ts`, await generateModule(packages, folder, path));
    }
  }
  return modules;
}

async function generateModule(packages: readonly PackageSources[], folder: string, path: string): Promise<string> {
  const file = fileName(folder, path);
  const name = basename(path, '.wgsl');
  if (!/^[a-z][A-Za-z0-9]*$/.test(name)) throw new CodegenError(file, 1, `file name ${name}; expected camelCase`);
  const code = await linkKernel(packages, folder, path);
  const label = `${folder}/${path.replace(/^gpu\//, '').replace(/\.wgsl$/, '')}`;
  try {
    return emitModule(name, label, code, reflectKernel(code));
  } catch (error) {
    throw new CodegenError(file, 1, error instanceof Error ? error.message : String(error), {cause: error});
  }
}

function readPackages(root: string): PackageSources[] {
  return readdirSync(join(root, 'packages'))
    .sort()
    .map((folder) => {
      const home = join(root, 'packages', folder);
      const found = globSync('{src,test}/**/*.wgsl', {cwd: home}).filter((file) => !isFixture(file));
      const paths = found.map((file) => file.replace(/^src\//, '')).sort();
      return {
        folder,
        files: new Map(paths.map((path) => [path, readFileSync(join(root, fileName(folder, path)), 'utf8')])),
      };
    })
    .filter(({files}) => files.size > 0);
}

/** Files that tests only look at: `test/fixtures` of a package. */
function isFixture(file: string): boolean {
  return /(?:^|\/)test\/fixtures\//.test(file);
}

/** Whether a file is a kernel of its own; without `@compute` it is a module that others import. */
function hasEntryPoint(source: string): boolean {
  return /@compute\b/.test(source.replaceAll(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, ''));
}
