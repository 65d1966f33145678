import type {Command} from 'commander';
import {UsageError} from '../errors.ts';
import {addDatasetFlag, addPointFlags} from '../flags.ts';
import type {GraphFlags} from '../graph/graphFlags.ts';
import {choice, integerFrom, outputFile, positiveInteger, positiveNumber, runCommand} from '../options.ts';

const FORMATS: readonly string[] = ['.npy', '.csv', '.tsv', '.json', '.parquet'];

export function addGraphCommand(program: Command): void {
  const command = program
    .command('graph')
    .description('cluster the vertices of a graph with DBSCAN (--min-pts) or HDBSCAN* (--min-cluster-size)')
    .argument('<EDGES>', 'table of pairs: two vertices, numbered from 0, and their distance; - reads CSV')
    .optionsGroup('DBSCAN:')
    .option('--eps <E>', 'largest distance of neighbours. Default: all pairs are neighbours', positiveNumber)
    .option('--min-pts <M>', 'least number of neighbours of a core vertex, itself included', positiveInteger)
    .optionsGroup('HDBSCAN*:')
    .option('--min-cluster-size <N>', 'fewest vertices of a cluster, ≥ 2', integerFrom(2))
    .option('--min-samples <K>', 'core distances reach to the K-th nearest vertex. Default: N', positiveInteger)
    .addOption(choice('--selection <RULE>', 'clusters to select. Default: eom', ['eom', 'leaf']))
    .optionsGroup('Graph:')
    .option('--vertices <COUNT>', 'number of vertices. Default: one more than the largest in EDGES', positiveInteger)
    .option('--weights <FILE>', 'a weight for each vertex, in their order: one column of CSV or Parquet, or .npy');
  addDatasetFlag(addPointFlags(command))
    .optionsGroup('Output:')
    .option('--out <FILE>', `labels: ${FORMATS.join('|')}`, outputFile(FORMATS))
    .option('--json', 'print one JSON object instead of the summary')
    .action((input: string, flags: GraphFlags) =>
      runCommand(command, (signal) => graph(input, flags, signal), {sampleWeight: '--weights'}),
    );
}

async function graph(input: string, flags: GraphFlags, signal: AbortSignal): Promise<void> {
  const {minPts, minClusterSize} = flags;
  if ((minPts === undefined) === (minClusterSize === undefined)) {
    const given = minPts === undefined ? undefined : String(minPts);
    throw new UsageError('--min-pts', given, 'an integer ≥ 1 for DBSCAN, or --min-cluster-size for HDBSCAN*');
  }
  const others = minPts === undefined ? (['eps'] as const) : (['minSamples', 'selection'] as const);
  const ignored = others.find((name) => flags[name] !== undefined);
  if (ignored !== undefined) {
    const flag = {eps: '--eps', minSamples: '--min-samples', selection: '--selection'}[ignored];
    const wanted = minPts === undefined ? '--min-pts' : '--min-cluster-size';
    throw new UsageError(flag, String(flags[ignored]), `${wanted} beside it`);
  }
  const {clusterGraph} = await import('../graph/clusterGraph.ts');
  await clusterGraph(input, flags, signal);
}
