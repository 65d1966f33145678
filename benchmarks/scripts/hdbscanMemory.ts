// Peak memory by number of points: `pnpm memory [BACKENDS] [SIZES]`, by default sequential,workers and
// 250000,500000,1000000,2000000 points in the plane (float32, clusters and noise). Each run is a process of its own.
// Prints its peak resident set, what the run added to the set that held the points, and that per point.
import {spawnSync} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {createHdbscan} from '@epsball/hdbscan';

const DIM = 2;
const CLUSTERS = 64;

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
  const points = {coords: clustered(n), dim: DIM};
  using hdbscan = await createHdbscan({backend});
  await hdbscan.run({coords: points.coords.subarray(0, 20_000), dim: DIM}, {minClusterSize: 10});
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

/** Nine points of ten around random centres, the others anywhere. xorshift32. */
function clustered(n: number): Float32Array {
  let state = 2463534242;
  const random = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  const centers = Float32Array.from({length: CLUSTERS * DIM}, random);
  const coords = new Float32Array(n * DIM);
  for (let i = 0; i < n; i++) {
    const cluster = random() < 0.9 ? Math.floor(random() * CLUSTERS) : -1;
    for (let d = 0; d < DIM; d++) {
      const spread = random() + random() + random() - 1.5;
      coords[i * DIM + d] = cluster < 0 ? random() : centers[cluster * DIM + d] + 0.02 * spread;
    }
  }
  return coords;
}
