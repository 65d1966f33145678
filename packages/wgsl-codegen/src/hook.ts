// Load this first in a process that runs a checkout: the first import of a generated module makes all of them current,
// or throws.
import {spawnSync} from 'node:child_process';
import {registerHooks} from 'node:module';
import {join} from 'node:path';
import {isCurrent} from './stamp.ts';

const ROOT = join(import.meta.dirname, '../../..');

let isChecked = false;

registerHooks({
  resolve: (specifier, context, nextResolve) => {
    if (!isChecked && specifier.endsWith('.wgsl.ts')) {
      isChecked = true;
      if (!isCurrent(ROOT)) generate();
    }
    return nextResolve(specifier, context);
  },
});

/** In a process of its own: hooks cannot wait. */
function generate(): void {
  const main = join(import.meta.dirname, 'main.ts');
  const {status} = spawnSync(process.execPath, [main], {stdio: ['ignore', 'ignore', 'inherit']});
  if (status !== 0) throw new Error('the kernels do not link; correct the error above, or run `pnpm generate`');
}
