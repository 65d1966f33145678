import {link, WeslParseError, withLoggerAsync, type WeslBundle} from 'wesl';
import {CodegenError, lineAt} from './codegenError.ts';

/** The .wgsl files of one workspace package. */
export interface PackageSources {
  /** folder name below `packages/`, for example `spatial-grid`; of an app with its parent, `apps/playground` */
  readonly folder: string;
  /** source text by path below `src/`, for example `gpu/ranges.wgsl`; for tests `test/probe.wgsl` */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Links one kernel with all its imports, from its own package (`package::gpu::ranges::rowRange`) and from others
 * (`spatial_grid::gpu::ranges::rowRange`). Names of the kernel are kept, colliding imports renamed, unused ones
 * dropped.
 *
 * @param path  below `src/`, or beginning with `test/`
 * @throws CodegenError  at the file and line of a syntax error or of an undeclared name
 */
export async function linkKernel(packages: readonly PackageSources[], folder: string, path: string): Promise<string> {
  const own = packages.find((candidate) => candidate.folder === folder);
  const source = own?.files.get(path);
  if (own === undefined || source === undefined) throw new CodegenError(fileName(folder, path), 1, 'no such kernel');
  const weslSrc = Object.fromEntries([...own.files].map(([file, text]) => [`./${file}`, text]));
  const libs = packages.filter((other) => other !== own).map(toBundle);
  try {
    // wesl prints its errors in addition to throwing them.
    const linked = await withLoggerAsync(
      () => undefined,
      () => link({weslSrc, rootModuleName: `./${path}`, packageName: moduleName(folder), libs}),
    );
    const code = linked.dest.replaceAll(/\n{3,}/g, '\n\n').trim();
    const head = headComment(source);
    // wesl drops the comment above an import. The head of a kernel cites its source, so it is restored.
    return `${head === '' || code.startsWith(head) ? '' : `${head}\n\n`}${code}\n`;
  } catch (error) {
    throw located(error, packages, folder, path);
  }
}

/** Name of a package inside an import path: `spatial-grid` is `spatial_grid`. */
function moduleName(folder: string): string {
  return folder.replace(/^apps\//, '').replaceAll('-', '_');
}

/** Path of a .wgsl file in error messages. */
export function fileName(folder: string, path: string): string {
  const home = folder.startsWith('apps/') ? folder : `packages/${folder}`;
  return isOfTests(path) ? `${home}/${path}` : `${home}/src/${path}`;
}

function isOfTests(path: string): boolean {
  return path.startsWith('test/');
}

function toBundle({folder, files}: PackageSources): WeslBundle {
  const published = [...files].filter(([path]) => !isOfTests(path));
  return {name: moduleName(folder), edition: '2026_pre', modules: Object.fromEntries(published)};
}

function headComment(source: string): string {
  return (/^(?:\/\/[^\n]*\n)+/.exec(source)?.[0] ?? '').trimEnd();
}

function located(error: unknown, packages: readonly PackageSources[], folder: string, path: string): Error {
  const cause = {cause: error};
  if (error instanceof WeslParseError) {
    const file = moduleFile(error.src.modulePath, packages, folder);
    const first = error.diagnostics[0];
    const what = first?.message ?? 'syntax error';
    return new CodegenError(file, lineAt(error.src.src, first?.start ?? error.span[0]), what, cause);
  }
  const what = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  const at = weslLocation(error);
  if (at !== undefined) {
    const file = at.file.replace(/^\.\//, '').replace(/\.wesl$/, '.wgsl');
    const owner = packages.find((other) => file.startsWith(`${moduleName(other.folder)}/`));
    const below = owner === undefined ? file : file.slice(owner.folder.length + 1);
    return new CodegenError(fileName(owner?.folder ?? folder, below), at.line, what, cause);
  }
  return new CodegenError(fileName(folder, path), 1, what, cause);
}

/** File of a module path such as `package::gpu::ranges`. */
function moduleFile(modulePath: string, packages: readonly PackageSources[], folder: string): string {
  const [head = '', ...rest] = modulePath.split('::');
  const owner = packages.find((other) => moduleName(other.folder) === head);
  return fileName(owner?.folder ?? folder, `${rest.join('/')}.wgsl`);
}

/** Location of an unknown name, which wesl attaches to a plain Error. */
function weslLocation(error: unknown): {file: string; line: number} | undefined {
  if (typeof error !== 'object' || error === null || !('weslLocation' in error)) return undefined;
  const at = error.weslLocation;
  if (typeof at !== 'object' || at === null || !('file' in at) || !('line' in at)) return undefined;
  return typeof at.file === 'string' && typeof at.line === 'number' ? {file: at.file, line: at.line} : undefined;
}
