// Times `collapse` beside a run on all points, in turn: `pnpm --filter @epsball/dbscan compare-collapse [N]`. The
// points are 20 Gaussian towns, rounded to 2, 3 and 4 decimals, as logs of positions have them.
import {gaussian, seededRandom} from '@epsball/conformance';
import {collapseDuplicates, createDbscan} from '../src/index.ts';

const n = Number(process.argv[2] ?? 1_000_000);
const ROUNDS = 3;
const TOWNS = 20;
const SIGMA = 0.02;

function townsOf(decimals: number): {readonly coords: Float64Array; readonly dim: 2} {
  const random = seededRandom(3);
  const scale = 10 ** decimals;
  const coords = Float64Array.from({length: 2 * n}, (_, k) => {
    const town = Math.floor(k / 2) % TOWNS;
    return Math.round((0.4 * town + gaussian(random) * SIGMA) * scale) / scale;
  });
  return {coords, dim: 2};
}

for (const decimals of [2, 3, 4]) {
  const points = townsOf(decimals);
  const distinct = collapseDuplicates(points).sampleWeight.length;
  const params = {eps: 1.5 / 10 ** decimals, minPts: 20};
  for (const algorithm of ['auto', 'dense-grid', 'pds', 'grid-bfs', 'sequential']) {
    // On points as crowded as these, they take minutes.
    if (decimals < 4 && (algorithm === 'grid-bfs' || algorithm === 'sequential')) continue;
    using dbscan = await createDbscan({algorithm, backend: 'sequential'});
    const best = {all: Infinity, collapsed: Infinity};
    let labels: Int32Array | undefined;
    for (let round = 0; round < ROUNDS; round++) {
      for (const kind of ['all', 'collapsed'] as const) {
        const startedAt = performance.now();
        const outcome = await dbscan.run(points, {...params, collapse: kind === 'collapsed'});
        best[kind] = Math.min(best[kind], performance.now() - startedAt);
        const first = (labels ??= outcome.labels);
        if (!outcome.labels.every((label, i) => label === first[i])) throw new Error(`${algorithm}: labels differ`);
      }
    }
    const [all, collapsed] = [best.all, best.collapsed].map((ms) => `${ms.toFixed(0)} ms`);
    const gain = (best.all / best.collapsed).toFixed(1);
    process.stdout.write(
      `${decimals} decimals, ${distinct} of ${n} points distinct, ${algorithm}: ${all}, collapsed ${collapsed} (${gain} times)\n`,
    );
  }
}
