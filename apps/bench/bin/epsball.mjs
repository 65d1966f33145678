#!/usr/bin/env node
// Starts the command from source in a checkout of the repository, and from dist/ anywhere else. A published
// package and a bundle carry src/ too, for source maps, but no tsconfig.json.
import {existsSync} from 'node:fs';
import * as nodeModule from 'node:module';

const isCheckout = existsSync(new URL('../tsconfig.json', import.meta.url));

/** Node runs TypeScript without a flag, and has synchronous module hooks, from 22.18 on. */
function runsTypeScript() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 18);
}

async function start() {
  if (!isCheckout) return import('../dist/main.js');
  if (!runsTypeScript()) {
    process.stderr.write(
      `epsball: Node = ${process.versions.node}; expected 22.18 or later to run from source (pnpm epsball brings its own)\n`,
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
