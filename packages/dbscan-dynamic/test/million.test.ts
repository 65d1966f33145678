import {gaussian, seededRandom} from '@epsball/conformance';
import {SHARE, sizeOfShare} from '@epsball/conformance/share';
import {createSequentialDbscan} from '@epsball/dbscan-sequential';
import {expect, it} from 'vitest';
import {createDynamicDbscan} from '../src/index.ts';

/** Of the whole run. */
const HISTORIES = 10;
const CHANGES = 1_000_000;
const POINTS = 100_000;
const CHECKPOINTS = 10;

it.for(Array.from({length: sizeOfShare(HISTORIES)}, (_, seed) => seed))(
  'the long history %s ends each of its parts with the labels of a run from nothing',
  async (seed) => {
    const changes = sizeOfShare(CHANGES, Math.min(1, SHARE));
    await follow(seed, sizeOfShare(POINTS, Math.min(1, 10 * SHARE)), changes);
  },
);

async function follow(seed: number, n: number, changes: number): Promise<void> {
  const random = seededRandom(seed);
  const dim = 2 + (seed % 2);
  const params = {eps: 2 / n ** (1 / dim), minPts: 6};
  using sequential = createSequentialDbscan();
  const dynamic = createDynamicDbscan({...params, dim});
  // Half of the points are in blobs, half near the density at which noise begins to connect.
  const centers = Float64Array.from({length: 20 * dim}, random);
  const place = (at: Float64Array): void => {
    const center = random() < 0.5 ? Math.floor(random() * 20) : -1;
    for (let d = 0; d < dim; d++) at[d] = center < 0 ? random() : centers[center * dim + d] + 0.01 * gaussian(random);
  };
  const coords = new Float64Array(n * dim);
  for (let k = 0; k < n; k++) place(coords.subarray(k * dim, (k + 1) * dim));
  const ids = [...dynamic.insert({coords, dim})];
  const rowOf = new Map(ids.map((id, k) => [id, k]));
  for (let change = 0, part = 1; change < changes;) {
    const size = Math.min(n / 2, Math.floor(10 ** (3 * random())));
    const rows = [...new Set(Array.from({length: size}, () => Math.floor(random() * n)))];
    for (const row of rows) place(coords.subarray(row * dim, (row + 1) * dim));
    const points = {
      coords: Float64Array.from(rows.flatMap((row) => [...coords.subarray(row * dim, (row + 1) * dim)])),
      dim,
    };
    const old = rows.map((row) => ids[row]);
    if (random() < 0.3) dynamic.move(old, points);
    else {
      dynamic.update({remove: old, insert: points}).forEach((id, k) => {
        rowOf.delete(ids[rows[k]]);
        ids[rows[k]] = id;
        rowOf.set(id, rows[k]);
      });
    }
    change += rows.length;
    if (change < (part * changes) / CHECKPOINTS) continue;
    part++;
    const {ids: there, labels} = dynamic.canonicalLabels();
    const inOrder = Float64Array.from(
      [...there].flatMap((id) => {
        const row = rowOf.get(id) ?? -1;
        return [...coords.subarray(row * dim, (row + 1) * dim)];
      }),
    );
    const fresh = await sequential.run({coords: inOrder, dim}, params);
    expect(labels, `seed ${seed}, change ${change}`).toEqual(fresh.labels);
  }
}
