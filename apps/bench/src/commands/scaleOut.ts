import {createHash} from 'node:crypto';
import {createReadStream} from 'node:fs';
import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {pipeline} from 'node:stream/promises';
import type {Command} from 'commander';

interface ScaleOutOptions {
  readonly points: string;
  readonly eps: string;
  readonly minPts: string;
  readonly memoryGb: string;
  readonly concurrency: string;
  readonly gpu?: boolean;
}

export function addScaleOutCommand(program: Command): void {
  program
    .command('scale-out')
    .description('measure runs out of core on skewed points: one JSON line for each number of tasks at a time')
    .argument('<DIR>', 'folder for points, runs and labels')
    .option('--points <N>', 'number of points', '100000000')
    .option('--eps <E>', 'radius', '0.1')
    .option('--min-pts <M>', 'least number of points within eps', '10')
    .option('--memory-gb <G>', 'memory for the data of all tasks', '32')
    .option('--concurrency <a,b>', 'numbers of tasks at a time', '1,4,8,16')
    .option('--gpu', 'cluster tiles on the GPU, too, beside the threads')
    .action((folder: string, options: ScaleOutOptions) => measure(folder, options));
}

async function measure(folder: string, options: ScaleOutOptions): Promise<void> {
  const {abortOnInterrupt} = await import('@epsball/cli/command');
  await abortOnInterrupt(async (signal) => {
    const [{writeSkewedPoints}, {measureRun}] = await Promise.all([
      import('../scaleOut/skewedPoints.ts'),
      import('../scaleOut/measureRun.ts'),
    ]);
    await mkdir(folder, {recursive: true});
    const onStage = (line: string): void => void process.stderr.write(`${line}\n`);
    const input = await writeSkewedPoints(join(folder, 'input'), Number(options.points));
    for (const concurrency of options.concurrency.split(',').map(Number)) {
      const out = join(folder, `labels-${concurrency}.npy`);
      const measured = await measureRun({
        input,
        eps: Number(options.eps),
        minPts: Number(options.minPts),
        work: join(folder, 'work'),
        memoryBytes: Number(options.memoryGb) * 2 ** 30,
        concurrency,
        hasGpu: options.gpu === true,
        out,
        signal,
        onStage,
      });
      // Equal hashes: equal labels, whatever the number of tiles and of tasks.
      process.stdout.write(`${JSON.stringify({...measured, labels: await hashOf(out)})}\n`);
    }
  });
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
