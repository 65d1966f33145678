import {InvalidArgumentError, type Command} from 'commander';
import {abortOnInterrupt, integerFrom, positiveInteger} from '@epsball/cli/command';
import {BACKENDS, type TimedBackend} from '../hdbscan/backends.ts';

interface TimeOptions {
  readonly backends: readonly TimedBackend[];
  readonly minClusterSize: number;
  readonly minSamples: number;
  readonly rounds: number;
  readonly json?: boolean;
}

/** 20,000 tweets take R 14.5 s; 1,000,000 points in the plane are the size of the other suites. */
const DEFAULT_SPECS = ['tweets:n=20000', 'tweets:n=100000', 'milanesi:n=1000000'];

export function addTimeHdbscanCommand(program: Command): void {
  program
    .command('time-hdbscan')
    .description('time HDBSCAN* on its backends, in turn, and beside R up to 20,000 points')
    .argument('[DATASET...]', `datasets such as ${DEFAULT_SPECS[0]} (default: ${DEFAULT_SPECS.join(' ')})`)
    .option('--backends <LIST>', `some of ${BACKENDS.join(',')}`, backendList, BACKENDS)
    .option('--min-cluster-size <N>', 'as in "epsball hdbscan"', integerFrom(2), 10)
    .option('--min-samples <K>', 'as in "epsball hdbscan"', positiveInteger, 5)
    .option('--rounds <R>', 'runs of each backend after a first one', positiveInteger, 3)
    .option('--json', 'print one JSON object a line instead of text')
    .action((specs: readonly string[], options: TimeOptions) =>
      abortOnInterrupt(async (signal) => {
        const {timeHdbscan} = await import('../hdbscan/timeHdbscan.ts');
        const {json: isJson = false, ...others} = options;
        await timeHdbscan(specs.length === 0 ? DEFAULT_SPECS : specs, {
          ...others,
          isJson,
          signal,
        });
      }),
    );
}

function backendList(text: string): readonly TimedBackend[] {
  return text.split(',').map((name) => {
    const backend = BACKENDS.find((one) => one === name);
    if (backend === undefined) throw new InvalidArgumentError(`some of ${BACKENDS.join(', ')}`);
    return backend;
  });
}
