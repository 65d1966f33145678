import type {Command} from 'commander';
import {abortOnInterrupt, oneOf, outputFolder, UsageError} from '@epsball/cli/command';
import type {Precision} from '../scaleOut/skewedPoints.ts';

interface ScaleOutOptions {
  readonly points: number;
  readonly eps: number;
  readonly minPts: number;
  readonly taskMemory: number;
  readonly concurrency: readonly number[];
  readonly precision: Precision;
  readonly gpu?: boolean;
  readonly compare?: boolean;
  readonly json?: boolean;
}

export function addScaleOutCommand(program: Command): void {
  program
    .command('scale-out')
    .description('measure runs out of core on skewed points: the speed-up, what bounds it, and the steps')
    .argument('<DIR>', 'folder for points, runs and labels', outputFolder('DIR'))
    .option('--points <N>', 'number of points', integer('--points'), 100_000_000)
    .option('--eps <E>', 'radius', positive('--eps'), 0.1)
    .option('--min-pts <M>', 'least number of points within eps', integer('--min-pts'), 10)
    .option('--task-memory <MiB>', 'memory for the data of each task', integer('--task-memory'), 256)
    .option('--concurrency <a,b>', 'numbers of tasks at a time', integers('--concurrency'), [1, 4, 8, 16])
    .option('--precision <P>', 'float32|float64', oneOf('--precision', ['float32', 'float64'] as const), 'float64')
    .option('--gpu', 'cluster tiles on the GPU as well as on the threads')
    .option('--compare', 'compare the labels with one run of pds over all points in memory')
    .option('--json', 'print one JSON line for each run instead of tables')
    .action((folder: string, options: ScaleOutOptions) =>
      abortOnInterrupt(async (signal) => {
        const {measureScaleOut} = await import('../scaleOut/measureScaleOut.ts');
        const {gpu = false, compare = false, json = false, taskMemory, concurrency, ...points} = options;
        await measureScaleOut({
          ...points,
          folder,
          taskBytes: taskMemory * 2 ** 20,
          concurrencies: concurrency,
          hasGpu: gpu,
          isCompared: compare,
          isJson: json,
          signal,
        });
      }),
    );
}

function integers(flag: string): (text: string) => readonly number[] {
  return (text) => text.split(',').map(integer(flag));
}

function integer(flag: string): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= 1)) throw new UsageError(flag, text, 'an integer ≥ 1');
    return value;
  };
}

function positive(flag: string): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!(value > 0 && Number.isFinite(value))) throw new UsageError(flag, text, 'a finite number > 0');
    return value;
  };
}
