import {readFileSync} from 'node:fs';
import {MissingPackageError} from './errors.ts';

/** How a reader started this program: an installed package lies elsewhere for each. */
const GLOBAL = /[\\/](?:lib|npm)[\\/]node_modules[\\/]@epsball[\\/]cli[\\/]/;
const NPX = /[\\/]_npx[\\/]/;

/** A command that installs a package, as errors name it. */
const INSTALL = /npm install ([\w@][\w@./-]*\w)/g;

/** A dependency on another package of this repository, packed in a clone. */
const TARBALL = /^file:(.+)[\\/]epsball-[\w-]+\.tgz$/;

/**
 * The line that installs a package where this program finds it.
 *
 * @param spec      `sharp@0.35`
 * @param here      path of this program. Default: its own
 * @param tarballs  folder of the tarballs that this program was installed from, if it was packed in a clone
 */
export function installLine(
  spec: string,
  here: string = import.meta.filename,
  tarballs: string | undefined = TARBALL.exec(readManifest().dependencies['@epsball/clustering'])?.[1],
): string {
  const isPacked = tarballs !== undefined && spec.startsWith('@epsball/');
  const found = isPacked ? `${tarballs}/${spec.replace('@', '').replace('/', '-')}.tgz` : spec;
  if (NPX.test(here)) return `npx -p @epsball/cli -p ${found} epsball …`;
  return `npm install ${GLOBAL.test(here) ? '--global ' : ''}${found}`;
}

/** A message with the lines for this program instead of `npm install …`. */
export function withInstallLines(message: string, here?: string, tarballs?: string): string {
  return message.replace(INSTALL, (_, spec: string) => installLine(spec, here, tarballs));
}

export function readManifest(): {readonly version: string; readonly dependencies: Readonly<Record<string, string>>} {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
}

/** Loads the optional package `spec` for the flag or command `what`. Without it, the error has the line to type. */
export async function loadOptional<Module>(what: string, spec: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw error;
    throw new MissingPackageError(
      `${what} needs the npm package ${spec.replace(/(?<=.)@.*$/, '')}: npm install ${spec}`,
      {
        cause: error,
      },
    );
  }
}
