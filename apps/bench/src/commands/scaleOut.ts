import {Option, type Command} from 'commander';
import {abortOnInterrupt, choice, gpuCount, outputFolder, positiveInteger, positiveNumber} from '@epsball/cli/command';
import type {ScaleOutOptions} from '../scaleOut/measureScaleOut.ts';

export function addScaleOutCommand(program: Command): void {
  program
    .command('scale-out')
    .description('measure runs out of core on skewed points: the speed-up, what bounds it, and the steps')
    .argument('<DIR>', 'folder for points, runs and labels', outputFolder)
    .option('--points <N>', 'number of points', positiveInteger, 100_000_000)
    .option('--eps <E>', 'radius', positiveNumber, 0.1)
    .option('--min-pts <M>', 'least number of points within eps', positiveInteger, 10)
    .option('--task-memory <MiB>', 'memory for the data of each task', positiveInteger, 256)
    .option('--concurrency <a,b>', 'numbers of tasks at a time', integers, [1, 4, 8, 16])
    .addOption(choice('--precision <P>', 'of the points', ['float32', 'float64'], 'float64'))
    .addOption(new Option('--gpu', 'cluster tiles on the GPU as well as on the threads').conflicts('gpus'))
    .option('--gpus <N>', 'GPUs of this host, or all: a process for each runs the tasks', gpuCount)
    .option('--compare', 'compare the labels with one run of pds over all points in memory')
    .option('--json', 'print one JSON line for each run instead of tables')
    .action((folder: string, options: ScaleOutOptions) =>
      abortOnInterrupt(async (signal) => {
        const {measureScaleOut} = await import('../scaleOut/measureScaleOut.ts');
        await measureScaleOut(folder, options, signal);
      }),
    );
}

function integers(text: string): readonly number[] {
  return text.split(',').map(positiveInteger);
}
