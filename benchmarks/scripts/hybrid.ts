// Usage: hybrid.ts [THREADS,…] [ROUNDS] [DATASET EPS MIN_PTS]. Times `hybrid` on the GPU and worker threads, and
// `sequential` with its grid: some runs of the first, then a few of the second, repeatedly. Checks that the labels are
// equal, byte for byte. Device and threads are up and code is compiled before
// anything is timed; points are on shared memory. Exits with 1 where labels differ.
import {cpus} from 'node:os';
import {onSharedMemory} from '@epsball/conformance';
import {generateDataset} from '@epsball/datasets';
import {createDbscan} from '@epsball/dbscan';
import {summarizeTimes} from '../src/statistics.ts';

const [, , threadList = '8,12,16', rounds = '3', dataset = 'tweets:n=200000,seed=1', eps = '0.01', minPts = '40'] =
  process.argv;
const WARM_UPS = 60;
/** Runs of a millisecond or two; the device and the threads stay awake from one to the next. */
const RUNS_IN_A_ROW = 300;
const SEQUENTIAL_RUNS = 5;

const params = {eps: Number(eps), minPts: Number(minPts)};
const points = onSharedMemory(generateDataset(dataset));
const sequential = await createDbscan({algorithm: 'sequential'});
const bytesOf = (labels: Int32Array): Buffer => Buffer.from(labels.slice().buffer);
const expected = bytesOf((await sequential.run(points, params)).labels);
process.stdout.write(`${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}, Node ${process.version}\n`);
process.stdout.write(
  `${dataset}, eps ${eps}, minPts ${minPts}: wall milliseconds of rows of ${RUNS_IN_A_ROW} and of ${SEQUENTIAL_RUNS} runs\n`,
);
for (const threads of threadList.split(',').map(Number)) {
  const hybrid = await createDbscan({algorithm: 'hybrid', backend: 'gpu', threads});
  for (let run = 0; run < WARM_UPS; run++) await hybrid.run(points, params);
  for (let round = 0; round < Number(rounds); round++) {
    const times: number[] = [];
    for (let run = 0; run < RUNS_IN_A_ROW; run++) {
      const {labels, stats} = await hybrid.run(points, params);
      times.push(stats.wallMs);
      if (run % 100 !== 0 || bytesOf(labels).equals(expected)) continue;
      process.stdout.write(`labels of ${threads} threads DIFFER\n`);
      process.exitCode = 1;
    }
    const beside: number[] = [];
    for (let run = 0; run < SEQUENTIAL_RUNS; run++) beside.push((await sequential.run(points, params)).stats.wallMs);
    const [ours, theirs] = [summarizeTimes(times), summarizeTimes(beside)];
    const factor = (theirs.medianMs / ours.medianMs).toFixed(1);
    process.stdout.write(
      `${threads} threads: median ${ours.medianMs.toFixed(2)}, min ${ours.minMs.toFixed(2)}; sequential ${theirs.medianMs.toFixed(1)}, min ${theirs.minMs.toFixed(1)}; × ${factor} by medians\n`,
    );
  }
  hybrid.destroy();
}
sequential.destroy();
