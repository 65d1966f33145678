const IS_SOURCE: boolean = import.meta.url.endsWith('.ts');

/** Extension of this package's files as they run: in a checkout, Node strips the types of the source. */
export const EXTENSION: 'ts' | 'js' = IS_SOURCE ? 'ts' : 'js';

/** Options for threads and child processes that load this package: a checkout runs from source there as well. */
export const SOURCE_OPTIONS: {execArgv?: string[]} = IS_SOURCE
  ? {execArgv: ['--conditions=@epsball/source', '--disable-warning=ExperimentalWarning']}
  : {};
