import type {Command} from 'commander';
import {
  addBackendFlags,
  addDatasetFlag,
  addGroupFlag,
  addMissingFlag,
  addMetricFlags,
  addOutputFlags,
  addPointFlags,
  addSqlFlag,
  checkBackend,
  checkBy,
  checkKeep,
  checkMetric,
  PLOT_FORMATS,
} from '../flags.ts';
import {UsageError} from '../errors.ts';
import {HDBSCAN_FLAGS, type HdbscanFlags} from '../hdbscan/hdbscanFlags.ts';
import {
  choice,
  inputOf,
  integerFrom,
  numberFrom,
  numberToOne,
  outputFile,
  positiveInteger,
  required,
  rowNumbers,
  runCommand,
} from '../options.ts';

const MEMBERSHIP_FORMATS: readonly string[] = ['.csv', '.tsv', '.parquet', '.npy'];

export function addHdbscanCommand(program: Command): void {
  const command = program
    .command('hdbscan')
    .description('cluster the points of a file with HDBSCAN*, without a radius')
    .argument('[INPUT]', 'file of points, as for cluster')
    .optionsGroup('HDBSCAN*:')
    .option('--min-cluster-size <N>', 'fewest points of a cluster, ≥ 2', integerFrom(2))
    .option(
      '--min-samples <K>',
      'core distances reach to the K-th nearest point, itself included. Default: N',
      positiveInteger,
    )
    .option('--exclude-self', 'do not count the point itself in --min-samples')
    .addOption(choice('--selection <RULE>', 'clusters to select. Default: eom', ['eom', 'leaf']))
    .option('--selection-eps <E>', 'join clusters that part below this distance; km with haversine', numberFrom(0))
    .option('--max-cluster-size <N>', 'with eom: select no larger cluster', positiveInteger)
    .option('--allow-single-cluster', 'all points may be one cluster; --selection-eps bounds it')
    .addOption(
      choice('--duplicates <RULE>', 'whether points at one place count each, or the place once. Default: count', [
        'count',
        'once',
      ]),
    )
    .option('--weight-column <w>', 'column, or property of GeoJSON, with weights of the points, ≥ 0');
  addGroupFlag(addMetricFlags(command));
  addMissingFlag(addSqlFlag(addDatasetFlag(addPointFlags(command))));
  addBackendFlags(command);
  addOutputFlags(command, ['.npy', '.csv', '.tsv', '.json', '.parquet', '.arrow', '-'])
    .option('--tree <FILE>', `condensed tree: ${PLOT_FORMATS.join('|')}`, outputFile(PLOT_FORMATS))
    .option('--reachability <FILE>', `reachability plot: ${PLOT_FORMATS.join('|')}`, outputFile(PLOT_FORMATS))
    .option('--save-model <FILE>', 'model for "epsball predict": .arrow', outputFile(['.arrow']))
    .option(
      '--memberships <FILE>',
      `how much each point belongs to clusters: ${MEMBERSHIP_FORMATS.join('|')}`,
      outputFile(MEMBERSHIP_FORMATS),
    )
    .option('--top <K>', 'with --memberships: most clusters a point. Default: 10', positiveInteger)
    .option(
      '--assign-noise [M]',
      'give noise the cluster of its largest membership, from M on if it is given, 0 to 1',
      numberToOne,
    )
    .option('--explain <ROWS>', 'why rows, from 0 and with commas between, have their labels', rowNumbers)
    .option('--verify', 'compare all numbers with another backend')
    .action((file: string | undefined, flags: HdbscanFlags) =>
      runCommand(command, (signal) => clusterHierarchy(inputOf(file, flags.sql), flags, signal), HDBSCAN_FLAGS),
    );
}

async function clusterHierarchy(input: string, flags: HdbscanFlags, signal: AbortSignal): Promise<void> {
  required('--min-cluster-size', flags.minClusterSize, 'an integer ≥ 2');
  if (flags.selection === 'leaf' && flags.maxClusterSize !== undefined) {
    throw new UsageError('--max-cluster-size', `${flags.maxClusterSize}`, '--selection eom beside it, not leaf');
  }
  const {by, tree, reachability, saveModel, memberships, top, explain} = flags;
  const ofAllPoints = {'--tree': tree, '--reachability': reachability, '--save-model': saveModel};
  checkBy(by, {
    ...ofAllPoints,
    '--memberships': memberships,
    '--assign-noise': flags.assignNoise,
    '--explain': explain,
  });
  if (top !== undefined) required('--memberships', memberships, 'a file for them, since --top is given');
  checkKeep(flags);
  checkMetric(flags);
  checkBackend(flags);
  const {clusterHierarchy: cluster} = await import('../hdbscan/clusterHierarchy.ts');
  await cluster(input, flags, signal);
}
