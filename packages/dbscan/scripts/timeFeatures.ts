// Times what a kept instance does for many parameters, weights, and cosine in many dimensions, each beside its plain
// counterpart, in turn: `pnpm --filter @epsball/dbscan time-features [BACKEND] [N]`. The backend is gpu by default.
import {blobs} from '@epsball/conformance';
import {
  BACKENDS,
  catalogue,
  createDbscan,
  keepPoints,
  type Dbscan,
  type DbscanRequest,
  type PointsInput,
} from '../src/index.ts';

const ROUNDS = 7;
const backend = BACKENDS.find((one) => one === process.argv[2]) ?? 'gpu';
const n = Number(process.argv[3] ?? 1_000_000);
const ids = catalogue.filter(({weights}) => weights[backend] !== undefined).map(({id}) => id);

/** Medians of two runs in turn, in milliseconds; the first round warms up. */
async function compare(
  what: string,
  algorithm: string,
  [plain, other]: readonly [run: (dbscan: Dbscan) => Promise<unknown>, run: (dbscan: Dbscan) => Promise<unknown>],
): Promise<void> {
  // One instance each: points of the other would replace those on the device.
  using first = await createDbscan({algorithm, backend});
  using second = await createDbscan({algorithm, backend});
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [k, run] of [() => plain(first), () => other(second)].entries()) {
      const startedAt = performance.now();
      await run();
      if (round > 0) times[k].push(performance.now() - startedAt);
    }
  }
  const [a, b] = times.map((list) => list.toSorted((x, y) => x - y)[Math.floor(ROUNDS / 2)]);
  process.stdout.write(`${algorithm} on ${backend}, ${what}: ${a.toFixed(2)} ms and ${b.toFixed(2)} ms\n`);
}

const run = (points: PointsInput, params: DbscanRequest) => (dbscan: Dbscan) => dbscan.run(points, params);
const points = blobs('float32', 2, n, {seed: 1, clusters: 20, sigma: 0.02});
const params = {eps: 0.001, minPts: 8};
const kept = keepPoints(points);
const counts = Float64Array.from({length: n}, (_, i) => 1 + (i % 3));
for (const id of ids) {
  let next = 8;
  const nextMinPts = (dbscan: Dbscan): Promise<unknown> => dbscan.run(kept, {...params, minPts: next++});
  await compare(`${n} points sent each time, and kept with another minPts`, id, [run(points, params), nextMinPts]);
  let {eps} = params;
  const nextEps = (dbscan: Dbscan): Promise<unknown> => dbscan.run(kept, {...params, eps: (eps *= 1.001)});
  await compare(`${n} points sent each time, and kept with another eps`, id, [run(points, params), nextEps]);
  await compare('without and with weights', id, [run(points, params), run(points, {...params, sampleWeight: counts})]);
}
const few = Math.max(1000, Math.round(n / 100));
for (const dim of [384, 1536]) {
  const vectors = blobs('float32', dim, few, {seed: dim, clusters: 20, sigma: 0.02});
  const algorithm = backend === 'gpu' ? 'gdbscan' : 'pds';
  const near = run(vectors, {eps: 0.001, minPts: 5, metric: 'cosine'});
  const far = run(vectors, {eps: 0.0014, minPts: 5, metric: 'cosine'});
  await compare(`cosine of ${few} vectors in ${dim}-D at eps 0.001, and at 0.0014`, algorithm, [near, far]);
}
