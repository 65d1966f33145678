// Bundles of CommonJS have no URL of a module.
const IS_SOURCE: boolean = /\.ts(?:\?|$)/.test(import.meta.url);

/** Extension of the packages' files as they run: in a checkout, Node strips the types of the source. */
export const EXTENSION: 'ts' | 'js' = IS_SOURCE ? 'ts' : 'js';

/** Options for threads and child processes that load these packages: a checkout runs from source there as well. */
export const SOURCE_OPTIONS: {execArgv?: string[]} = IS_SOURCE
  ? {execArgv: ['--conditions=@epsball/source', '--disable-warning=ExperimentalWarning']}
  : {};
