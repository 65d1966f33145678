// Usage: threads.ts [THREADS,…] [RUNS] [DATASET EPS MIN_PTS]. Times `pds` on worker threads: a few runs with one number
// of threads, then as many with the next, repeatedly, so that all see the same states of the machine. Checks that the
// labels equal those of `sequential`, byte for byte. Threads are up and code is compiled before anything is timed;
// points are on shared memory. Exits with 1 where labels differ.
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

/**
 * Runs in a row, of which the first ones do not count: a virtual processor that has slept while fewer threads ran comes
 * back slowly where it shares the real one with others. Each in turn with a run on one thread, runs on two took 111 to
 * 131 ms, in turn with their like 106 to 113.
 */
const RUNS_IN_A_ROW = 12;
const RUNS_TO_WAKE = 2;

const counts = threadList.split(',').map(Number);
const params = {eps: Number(eps), minPts: Number(minPts)};
const points: PointSet = onSharedMemory(generateDataset(dataset));
const subjects = await Promise.all(
  counts.map(async (threads) => {
    const dbscan = await createDbscan({algorithm: 'pds', backend: 'workers', threads});
    return {threads, dbscan, results: [] as DbscanResult['stats'][]};
  }),
);
const reference = await createDbscan({algorithm: 'sequential'});
const expected = Buffer.from((await reference.run(points, params)).labels.buffer);
reference.destroy();
for (const {dbscan} of subjects) for (let run = 0; run < WARM_UPS; run++) await dbscan.run(points, params);
while (subjects[0].results.length < Number(runs)) {
  for (const {threads, dbscan, results} of subjects) {
    for (let run = 0; run < RUNS_IN_A_ROW && results.length < Number(runs); run++) {
      const {labels, stats} = await dbscan.run(points, params);
      const bytes = Buffer.from(labels.slice().buffer);
      if (!bytes.equals(expected)) {
        process.stdout.write(`labels of ${threads} threads DIFFER\n`);
        process.exitCode = 1;
      }
      if (run >= RUNS_TO_WAKE) results.push(stats);
    }
  }
}
const load = loadavg()[0].toFixed(1);
process.stdout.write(
  `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}, Node ${process.version}, load ${load}\n`,
);
process.stdout.write(`${dataset}, eps ${eps}, minPts ${minPts}: wall milliseconds of ${runs} runs\n`);
const base = summarizeTimes(subjects[0].results.map(({wallMs}) => wallMs));
for (const {threads, dbscan, results} of subjects) {
  const {medianMs, minMs} = summarizeTimes(results.map(({wallMs}) => wallMs));
  const phases = Object.entries(medianPhases(results.map(({phaseMs}) => phaseMs)));
  const times = phases.map(([phase, ms]) => `${phase} ${ms.toFixed(0)}`).join(', ');
  const ratios = [
    `${(base.medianMs / medianMs).toFixed(2)} by medians`,
    `${(base.minMs / minMs).toFixed(2)} by minima`,
  ];
  process.stdout.write(
    `${threads} threads: median ${medianMs.toFixed(0)}, min ${minMs.toFixed(0)}; × ${ratios.join(', × ')}; ${times}\n`,
  );
  dbscan.destroy();
}
