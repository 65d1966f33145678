// Usage: threads.ts [THREADS,…] [RUNS] [DATASET EPS MIN_PTS]. Times `pds` on worker threads, one number of threads after the
// other in each round, so that all see the same state of the machine; checks that labels are equal to the byte. Threads are up
// and code is compiled before anything is timed; points are on shared memory. Exits with 1 where labels differ.
import {cpus, loadavg} from 'node:os';
import type {DbscanResult, PointSet} from '@epsball/clustering';
import {onSharedMemory} from '@epsball/conformance';
import {generateDataset} from '@epsball/datasets';
import {createDbscan} from '@epsball/dbscan';
import {medianPhases, summarizeTimes} from '../src/statistics.ts';

const [, , threadList = '1,2', runs = '15', dataset = 'tweets:n=1000000,seed=1', eps = '0.01', minPts = '40'] =
  process.argv;
/** Each thread compiles what it runs for itself, and many threads see a small share of the work each. */
const WARM_UPS = 20;

const counts = threadList.split(',').map(Number);
const params = {eps: Number(eps), minPts: Number(minPts)};
const points: PointSet = onSharedMemory(generateDataset(dataset));
const subjects = await Promise.all(
  counts.map(async (threads) => {
    const dbscan = await createDbscan({algorithm: 'pds', backend: 'workers', threads});
    return {threads, dbscan, results: [] as DbscanResult['stats'][]};
  }),
);
let expected: Buffer | undefined;
for (let round = 0; round < WARM_UPS + Number(runs); round++) {
  for (const {threads, dbscan, results} of subjects) {
    const {labels, stats} = await dbscan.run(points, params);
    const bytes = Buffer.from(labels.slice().buffer);
    expected ??= bytes;
    if (!bytes.equals(expected)) {
      process.stdout.write(`labels of ${threads} threads DIFFER\n`);
      process.exitCode = 1;
    }
    if (round >= WARM_UPS) results.push(stats);
  }
}
const load = loadavg()[0].toFixed(1);
process.stdout.write(
  `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}, Node ${process.version}, load ${load}\n`,
);
process.stdout.write(`${dataset}, eps ${eps}, minPts ${minPts}: wall milliseconds of ${runs} rounds\n`);
const baseMs = subjects[0].results.map(({wallMs}) => wallMs);
const base = summarizeTimes(baseMs);
for (const {threads, dbscan, results} of subjects) {
  const wallMs = results.map((stats) => stats.wallMs);
  const {medianMs, minMs} = summarizeTimes(wallMs);
  // Both runs of a round see the same state of the machine, whose speed may drift from round to round.
  const inRounds = summarizeTimes(wallMs.map((ms, round) => baseMs[round] / ms)).medianMs;
  const phases = Object.entries(medianPhases(results.map(({phaseMs}) => phaseMs)));
  const times = phases.map(([phase, ms]) => `${phase} ${ms.toFixed(0)}`).join(', ');
  const ratios = [`${(base.medianMs / medianMs).toFixed(2)} by medians`, `${inRounds.toFixed(2)} in the median round`];
  process.stdout.write(
    `${threads} threads: median ${medianMs.toFixed(0)}, min ${minMs.toFixed(0)}; × ${ratios.join(', × ')}, × ${(base.minMs / minMs).toFixed(2)} by minima; ${times}\n`,
  );
  dbscan.destroy();
}
