#!/usr/bin/env node
// Starts the command: from source in a checkout of the repository, elsewhere (a bundle) from dist/.
import {existsSync} from 'node:fs';
import * as nodeModule from 'node:module';

const isCheckout =
  new URL('../../../apps/bench/bin/epsball.mjs', import.meta.url).href === import.meta.url &&
  existsSync(new URL('../../../pnpm-workspace.yaml', import.meta.url));

/** From these versions on, Node runs TypeScript without a flag and takes conditions from a module hook. */
function runsFromSource() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major === 22) return minor >= 20;
  return major > 24 || (major === 24 && minor >= 5);
}

async function start() {
  if (!isCheckout) return import('../dist/main.js');
  if (!runsFromSource()) {
    process.stderr.write(
      `epsball: Node = ${process.versions.node}; expected 22.20, 24.5 or later to run from source (pnpm epsball brings its own)\n`,
    );
    process.exitCode = 1;
    return undefined;
  }
  nodeModule.registerHooks({
    resolve: (specifier, context, nextResolve) =>
      nextResolve(specifier, {...context, conditions: [...context.conditions, '@epsball/source']}),
  });
  return import('../src/main.ts');
}

const entry = await start();
if (entry !== undefined) await entry.main(process.argv.slice(2));
