// Queries a second on one thread: `pnpm --filter @epsball/predict bench 1000000`.
import {NOISE, pointCount} from '@epsball/clustering';
import {LowestCluster} from '../src/lowestCluster.ts';

const n = Number(process.argv[2] ?? 200_000);

/** A linear congruential generator (Numerical Recipes). */
let state = 1;
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
}

/** Points in blobs of deviation 1/50, in the unit square. */
function blobs(count: number): Float64Array {
  const centers = Float64Array.from({length: 60}, random);
  return Float64Array.from({length: 2 * count}, (_, k) => {
    const center = centers[2 * (Math.floor(k / 2) % 30) + (k % 2)];
    return center + (random() + random() + random() - 1.5) / 25;
  });
}

const core = {coords: blobs(n), dim: 2};
const clusters = Int32Array.from({length: n}, (_, i) => i % 30);
const builtAt = performance.now();
const search = new LowestCluster(core, clusters, {eps: 0.003});
const buildMs = performance.now() - builtAt;
for (const [name, queries] of [
  ['near the points', blobs(1e6)],
  ['anywhere', Float64Array.from({length: 2e6}, random)],
] as const) {
  for (let round = 0; round < 3; round++) {
    const startedAt = performance.now();
    let found = 0;
    for (let i = 0; i < 1e6; i++) if (search.of(queries, 2 * i) !== NOISE) found++;
    const ms = performance.now() - startedAt;
    const rate = (1e3 / ms).toFixed(2);
    process.stdout.write(
      `${pointCount(core)} core points, ${name}: ${rate} million queries a second, ${found} found\n`,
    );
  }
}
process.stdout.write(`build: ${buildMs.toFixed(0)} ms\n`);
