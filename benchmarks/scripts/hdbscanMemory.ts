// Peak memory by number of points: `pnpm hdbscan-memory [BACKENDS] [SIZES]`, by default sequential,workers and
// 250000,500000,1000000,2000000 points of `spots` in the plane (float32). Each run is a process of its own.
// Prints its peak resident set, what the run added to the set that held the points, and that per point.
import {spawnSync} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {generateDataset} from '@epsball/datasets';
import {createHdbscan} from '@epsball/hdbscan';

const [backends = 'sequential,workers', sizes = '250000,500000,1000000,2000000'] = process.argv.slice(2);
if (process.env['HDBSCAN_MEMORY_RUN'] === '1') {
  await measure(backends === 'workers' ? 'workers' : 'sequential', Number(sizes));
} else {
  process.stdout.write(`Node ${process.version}\n`);
  for (const backend of backends.split(',')) {
    for (const n of sizes.split(',')) {
      const env = {...process.env, HDBSCAN_MEMORY_RUN: '1'};
      const args = [...process.execArgv, fileURLToPath(import.meta.url), backend, n];
      spawnSync(process.execPath, args, {env, stdio: 'inherit'});
    }
  }
}

async function measure(backend: 'sequential' | 'workers', n: number): Promise<void> {
  const points = generateDataset(`spots:n=${n},dim=2,seed=1`);
  using hdbscan = await createHdbscan({backend});
  await hdbscan.run(generateDataset('spots:n=20000,dim=2,seed=1'), {minClusterSize: 10});
  const before = process.memoryUsage.rss();
  const startedAt = performance.now();
  const {stats, clusterCount} = await hdbscan.run(points, {minClusterSize: 10});
  const ms = performance.now() - startedAt;
  const peak = 1024 * process.resourceUsage().maxRSS;
  const added = peak - before;
  process.stdout.write(
    `${backend} ${n}: peak ${mebibytes(peak)} MiB, added ${mebibytes(added)} MiB, ${(added / n).toFixed(0)} bytes a point; ` +
      `${clusterCount} clusters, ${stats.counters['rounds']} rounds, ${ms.toFixed(0)} ms\n`,
  );
}

function mebibytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0);
}
