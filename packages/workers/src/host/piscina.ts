// The package piscina, as Node itself loads it.
import {existsSync} from 'node:fs';
import {dirname, join} from 'node:path';
import type {Piscina} from 'piscina';

/**
 * The class of piscina; undefined if the package or the file that its threads run is not there.
 *
 * Bundlers follow `createRequire` where they know it. The class that they put into a bundle looks for the file of its
 * threads in a folder that does not exist. So Node's own function is taken from where no bundler looks.
 *
 * @param from  URL of the module from which the package is resolved
 */
export function loadPiscina(from: string): typeof Piscina | undefined {
  try {
    const require = process.getBuiltinModule('node:module').createRequire(from);
    const entry = require.resolve('piscina');
    if (!existsSync(join(dirname(entry), 'worker.js'))) return undefined;
    const loaded: {readonly Piscina: typeof Piscina} = require(entry);
    return loaded.Piscina;
  } catch {
    return undefined;
  }
}
