import {build} from 'esbuild';
import {inlineTasksOfSources} from './taskText.ts';

/** The sources of the workspace, as a browser would load the packages. */
const CONDITIONS = ['@epsball/source', 'browser'];

/**
 * Bundles a module and the sources of the packages that it imports. What it imports on demand are files of their own.
 *
 * @param module  path of the module, `….ts`
 * @param outdir  receives the module under its own name, `….js`
 */
export async function bundlePage(module: string, outdir: string): Promise<void> {
  await build({
    entryPoints: [module],
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2023',
    platform: 'browser',
    conditions: CONDITIONS,
    logLevel: 'warning',
    plugins: [inlineTasksOfSources(CONDITIONS)],
  });
}
