import type {Command} from 'commander';
import {abortOnInterrupt, oneOf, UsageError} from '@epsball/cli/command';
import {BACKENDS, type TimedBackend} from '../hdbscan/backends.ts';

interface TimeOptions {
  readonly backends: readonly TimedBackend[];
  readonly minClusterSize: string;
  readonly minSamples: string;
  readonly rounds: string;
  readonly json?: boolean;
}

/** 20,000 tweets take R 14.5 s; 1,000,000 points in the plane are the size of the other suites. */
const DEFAULT_SPECS = ['tweets:n=20000', 'tweets:n=100000', 'milanesi:n=1000000'];

export function addHdbscanCommand(program: Command): void {
  program
    .command('hdbscan')
    .description('time HDBSCAN* on its backends, in turn, and beside R up to 20,000 points')
    .argument('[DATASET...]', `datasets such as ${DEFAULT_SPECS[0]} (default: ${DEFAULT_SPECS.join(' ')})`)
    .option('--backends <LIST>', `some of ${BACKENDS.join(',')}`, backendList, BACKENDS)
    .option('--min-cluster-size <N>', 'as in "cluster --algorithm hdbscan"', '10')
    .option('--min-samples <K>', 'as in "cluster --algorithm hdbscan"', '5')
    .option('--rounds <R>', 'runs of each backend after a first one', '3')
    .option('--json', 'print one JSON object a line instead of text')
    .action((specs: readonly string[], options: TimeOptions) =>
      abortOnInterrupt(async (signal) => {
        const {timeHdbscan} = await import('../hdbscan/timeHdbscan.ts');
        const {backends, json = false} = options;
        await timeHdbscan(specs.length === 0 ? DEFAULT_SPECS : specs, {
          backends,
          isJson: json,
          minClusterSize: integerFrom('--min-cluster-size', options.minClusterSize, 2),
          minSamples: integerFrom('--min-samples', options.minSamples, 1),
          rounds: integerFrom('--rounds', options.rounds, 1),
          signal,
        });
      }),
    );
}

function backendList(text: string): readonly TimedBackend[] {
  return text.split(',').map(oneOf('--backends', BACKENDS));
}

function integerFrom(flag: string, text: string, least: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (!(value >= least)) throw new UsageError(flag, text, `an integer ≥ ${least}`);
  return value;
}
