import {HDBSCAN_ID} from './hdbscanId.ts';
import type {HdbscanParams} from '@epsball/hdbscan';
import type {Command} from 'commander';
import {UsageError} from '../errors.ts';
import {numberFrom, oneOf, outputFile, positiveInteger, required} from '../options.ts';

const SELECTIONS = ['eom', 'leaf'] as const;
const DUPLICATES = ['count', 'once'] as const;
const TREE_FORMATS = ['.svg', '.png'];

/** Flags that `--algorithm hdbscan` has and other algorithms lack. */
export interface HdbscanFlags {
  readonly minClusterSize?: number;
  readonly minSamples?: number;
  readonly excludeSelf?: boolean;
  readonly selection?: (typeof SELECTIONS)[number];
  readonly selectionEps?: number;
  readonly maxClusterSize?: number;
  readonly allowSingleCluster?: boolean;
  readonly duplicates?: (typeof DUPLICATES)[number];
  readonly tree?: string;
}

/** Flags by parameter of the library. */
export const HDBSCAN_FLAGS: Readonly<Record<string, string>> = {
  minClusterSize: '--min-cluster-size',
  minSamples: '--min-samples',
  countSelf: '--exclude-self',
  selection: '--selection',
  clusterSelectionEpsilon: '--selection-eps',
  maxClusterSize: '--max-cluster-size',
  allowSingleCluster: '--allow-single-cluster',
  duplicates: '--duplicates',
};

/** A warning of the library with the command's flags in place of its parameters: `--duplicates once`. */
export function inHdbscanFlags(warning: string): string {
  return Object.entries(HDBSCAN_FLAGS).reduce(
    (text, [parameter, flag]) =>
      text.replace(new RegExp(`\\b${parameter}\\b(?:: '(\\w+)')?`, 'g'), (_, value?: string) =>
        value === undefined ? flag : `${flag} ${value}`,
      ),
    warning,
  );
}

export function addHdbscanFlags(command: Command): Command {
  return command
    .optionsGroup(`Options of --algorithm ${HDBSCAN_ID}:`)
    .option('--min-cluster-size <N>', 'fewest points of a cluster, ≥ 2', positiveInteger('--min-cluster-size'))
    .option(
      '--min-samples <K>',
      'core distances reach to the K-th nearest point, itself included (default: N)',
      positiveInteger('--min-samples'),
    )
    .option('--exclude-self', 'do not count the point itself in --min-samples')
    .option('--selection <RULE>', `${SELECTIONS.join('|')} (default: eom)`, oneOf('--selection', SELECTIONS))
    .option(
      '--selection-eps <E>',
      'join clusters that part below this distance; km with haversine',
      numberFrom('--selection-eps', 0),
    )
    .option('--max-cluster-size <N>', 'with eom: select no larger cluster', positiveInteger('--max-cluster-size'))
    .option('--allow-single-cluster', 'all points may be one cluster; --selection-eps bounds it')
    .option(
      '--duplicates <RULE>',
      'count|once: whether points at one place count each, or the place once (default: count)',
      oneOf('--duplicates', DUPLICATES),
    )
    .option('--tree <FILE>', `condensed tree: ${TREE_FORMATS.join('|')}`, outputFile('--tree', TREE_FORMATS));
}

/** @throws UsageError  if a flag of HDBSCAN* stands beside another algorithm */
export function refuseHdbscanFlags(flags: HdbscanFlags): void {
  const given: readonly (readonly [string, string | number | boolean | undefined])[] = [
    ['--min-cluster-size', flags.minClusterSize],
    ['--min-samples', flags.minSamples],
    ['--exclude-self', flags.excludeSelf],
    ['--selection', flags.selection],
    ['--selection-eps', flags.selectionEps],
    ['--max-cluster-size', flags.maxClusterSize],
    ['--allow-single-cluster', flags.allowSingleCluster],
    ['--duplicates', flags.duplicates],
    ['--tree', flags.tree],
  ];
  for (const [flag, value] of given) {
    if (value !== undefined) throw new UsageError(flag, String(value), `--algorithm ${HDBSCAN_ID} beside it`);
  }
}

/** @throws UsageError  without `--min-cluster-size`, if it is below 2, or if leaves have a largest size */
export function paramsOf(flags: HdbscanFlags): HdbscanParams & {readonly minClusterSize: number} {
  const expectation = 'an integer ≥ 2';
  const minClusterSize = required('--min-cluster-size', flags.minClusterSize, expectation);
  // Before the file is read, which may take minutes.
  if (minClusterSize < 2) throw new UsageError('--min-cluster-size', `${minClusterSize}`, expectation);
  if (flags.selection === 'leaf' && flags.maxClusterSize !== undefined) {
    throw new UsageError('--max-cluster-size', `${flags.maxClusterSize}`, '--selection eom beside it, not leaf');
  }
  return {
    minClusterSize,
    minSamples: flags.minSamples,
    countSelf: flags.excludeSelf !== true,
    selection: flags.selection,
    clusterSelectionEpsilon: flags.selectionEps,
    maxClusterSize: flags.maxClusterSize,
    allowSingleCluster: flags.allowSingleCluster === true,
    duplicates: flags.duplicates,
  };
}
