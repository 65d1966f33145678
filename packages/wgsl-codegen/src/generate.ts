import {existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {CodegenError, lineAt, type Place} from './codegenError.ts';
import {emitModule, emitParts} from './emit.ts';
import {fileName, linkKernel, type PackageSources} from './link.ts';
import {reflectKernel} from './reflect.ts';
import {isCurrent, sourcesOf, writeStamp} from './stamp.ts';

/** A generated file that does not match its kernel. Paths are relative to the workspace. */
export interface Difference {
  readonly file: string;
  /** `orphaned`: its .wgsl file does not exist, or no longer needs a module */
  readonly kind: 'missing' | 'stale' | 'orphaned';
}

/**
 * Writes generated files that are missing or stale, and removes orphaned ones. Returns the changed files, sorted.
 *
 * @throws CodegenError  for a kernel that does not link or reflect; then no file is written
 */
export async function writeModules(root: string): Promise<Difference[]> {
  const wanted = await generateModules(root);
  const differences = differencesFrom(root, wanted);
  for (const {file} of differences) {
    const text = wanted.get(file);
    if (text === undefined) rmSync(join(root, file));
    else replaceFile(join(root, file), text);
  }
  return differences;
}

/** `writeModules`, unless `isCurrent`. Returns the changed files. */
export async function makeCurrent(root: string): Promise<Difference[]> {
  if (isCurrent(root)) return [];
  const sources = sourcesOf(root);
  const differences = await writeModules(root);
  writeStamp(root, sources);
  return differences;
}

/** At once: another process may be reading the old text. */
function replaceFile(path: string, text: string): void {
  const partial = `${path}.${process.pid}.tmp`;
  writeFileSync(partial, text);
  renameSync(partial, path);
}

function differencesFrom(root: string, wanted: ReadonlyMap<string, string>): Difference[] {
  const differences: Difference[] = [];
  for (const [file, text] of wanted) {
    const path = join(root, file);
    if (!existsSync(path)) differences.push({file, kind: 'missing'});
    else if (readFileSync(path, 'utf8') !== text) differences.push({file, kind: 'stale'});
  }
  for (const file of globSync('{packages,apps}/*/{src,test}/**/*.wgsl.ts', {cwd: root})) {
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
      if (!hasEntryPoint(source) && !bindsOwnStruct(source) && !isPublished(source)) continue;
      modules.set(`${fileName(folder, path)}.ts`, await generateModule(packages, folder, path, source));
    }
  }
  return modules;
}

async function generateModule(
  packages: readonly PackageSources[],
  folder: string,
  path: string,
  source: string,
): Promise<string> {
  const file = fileName(folder, path);
  const name = basename(path, '.wgsl');
  if (!/^[a-z][A-Za-z0-9]*$/.test(name)) throw new CodegenError(file, 1, `file name ${name}; expected camelCase`);
  const code = await linkKernel(packages, folder, path);
  const label = `${folder}/${path.replace(/^gpu\//, '').replace(/\.wgsl$/, '')}`;
  try {
    const reflection = reflectKernel(code, (variable) => declarationOf(variable, packages, folder, path));
    if (hasEntryPoint(source)) return emitModule(name, label, code, reflection);
    const {bindings} = reflection;
    const structs = bindsOwnStruct(source) ? reflection.structs : [];
    return emitParts(name, structs, isPublished(source) ? {code, bindings} : undefined);
  } catch (error) {
    if (error instanceof CodegenError) throw error;
    throw new CodegenError(file, 1, error instanceof Error ? error.message : String(error), {cause: error});
  }
}

/** The declaration of a bound variable; line 1 of the kernel if it was renamed. */
function declarationOf(name: string, packages: readonly PackageSources[], folder: string, path: string): Place {
  const pattern = new RegExp(`@binding\\([^\\n]*\\bvar\\s*<[^>]*>\\s*${name}\\b`);
  const distanceTo = (owner: string, file: string): number => (owner === folder ? (file === path ? 0 : 1) : 2);
  const candidates = packages
    .flatMap((owner) => [...owner.files].map(([file, text]) => ({owner: owner.folder, file, text})))
    .sort((a, b) => distanceTo(a.owner, a.file) - distanceTo(b.owner, b.file));
  for (const {owner, file, text} of candidates) {
    const at = text.search(pattern);
    if (at >= 0) return {file: fileName(owner, file), line: lineAt(text, at)};
  }
  return {file: fileName(folder, path), line: 1};
}

function readPackages(root: string): PackageSources[] {
  return globSync(['packages/*', 'apps/*'], {cwd: root})
    .map((folder) => folder.replace(/^packages\//, ''))
    .sort()
    .map((folder) => {
      const home = join(root, folder.startsWith('apps/') ? '' : 'packages', folder);
      const found = globSync('{src,test}/**/*.wgsl', {cwd: home}).filter((file) => !isFixture(file));
      const paths = found.map((file) => file.replace(/^src\//, '')).sort();
      return {
        folder,
        files: new Map(paths.map((path) => [path, readFileSync(join(root, fileName(folder, path)), 'utf8')])),
      };
    })
    .filter(({files}) => files.size > 0);
}

/** Files that tests only read: `test/fixtures` of a package. */
function isFixture(file: string): boolean {
  return /(?:^|\/)test\/fixtures\//.test(file);
}

/** Whether a file is a kernel. Without `@compute` it is a module that others import. */
function hasEntryPoint(source: string): boolean {
  return /@compute\b/.test(withoutComments(source));
}

/** Whether a file declares a struct and binds a variable of that type. */
function bindsOwnStruct(source: string): boolean {
  const code = withoutComments(source);
  return [...code.matchAll(/\bstruct\s+(\w+)/g)].some(([, name]) =>
    new RegExp(`@binding\\([^;]*:\\s*(?:array<\\s*)?${name}\\b`).test(code),
  );
}

/** Whether the module is exported as a string, for kernels that this tool does not link. */
function isPublished(source: string): boolean {
  return /^\/\/ @published\b/m.test(source);
}

function withoutComments(source: string): string {
  return source.replaceAll(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, '');
}
