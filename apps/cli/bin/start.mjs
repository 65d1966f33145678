import {existsSync} from 'node:fs';
import * as nodeModule from 'node:module';
import {availableParallelism} from 'node:os';

// All threads of a process share the threads of libuv, 4 by default, for DuckDB and files. Set before the first use.
process.env.UV_THREADPOOL_SIZE ??= String(Math.max(4, 2 * availableParallelism()));

/** Whether a script is in its app's folder of the repository, and not in `node_modules` or a bundle. */
function isCheckout(script) {
  return /\/apps\/[^/]+\/bin\/[^/]+$/.test(script) && existsSync(new URL('../../../pnpm-workspace.yaml', script));
}

/** From these versions on, Node runs TypeScript without a flag and takes conditions from a module hook. */
function runsFromSource() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major === 22) return minor >= 20;
  return major > 24 || (major === 24 && minor >= 5);
}

async function load(script) {
  if (!isCheckout(script)) return import(new URL('../dist/main.js', script));
  if (!runsFromSource()) {
    process.stderr.write(
      `epsball: Node = ${process.versions.node}; expected 22.20, 24.5 or later to run from source (pnpm epsball brings its own)\n`,
    );
    process.exitCode = 1;
    return undefined;
  }
  await import(new URL('../../../packages/wgsl-codegen/src/hook.ts', script));
  nodeModule.registerHooks({
    resolve: (specifier, context, nextResolve) =>
      nextResolve(specifier, {...context, conditions: [...context.conditions, '@epsball/source']}),
  });
  return import(new URL('../src/main.ts', script));
}

/**
 * Starts the command of an app: from source in a checkout of the repository, elsewhere from `dist/`.
 *
 * @param script  URL of a file in the app's folder `bin`
 */
export async function start(script) {
  const entry = await load(script);
  if (entry !== undefined) await entry.main(process.argv.slice(2));
}
