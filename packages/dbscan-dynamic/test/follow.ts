import {DynamicOracle, dynamicHistory, type DynamicBatch} from '@epsball/conformance';
import {expect} from 'vitest';
import {createDynamicDbscan, type DynamicDbscan} from '../src/index.ts';

/** Follows a random history, and compares after each of its changes. */
export function follow(seed: number, changes: number): void {
  const {dim, eps, minPts, hasWeights, next} = dynamicHistory(seed, 10 + (seed % 4) * 20);
  const oracle = new DynamicOracle(dim, {eps, minPts});
  const dynamic = createDynamicDbscan({eps, minPts, dim, sampleWeight: hasWeights});
  for (let change = 0; change < changes; change++) {
    applyToBoth(dynamic, oracle, dim, next(), `seed ${seed}, change ${change}`);
  }
}

/** Applies a batch. Fails if labels, ids or events differ from those of a clustering from nothing. */
export function applyToBoth(
  dynamic: DynamicDbscan,
  oracle: DynamicOracle,
  dim: number,
  batch: DynamicBatch,
  told: string,
): void {
  const {remove, move, insert} = batch;
  const expected = oracle.update(batch);
  const pointsOf = (list: readonly {readonly at: readonly number[]}[]) => ({
    coords: Float64Array.from(list.flatMap(({at}) => [...at])),
    dim,
  });
  const weights = insert.map(({weight}) => weight ?? 1);
  const added = dynamic.update({
    remove,
    move: {ids: move.map(({id}) => id), points: pointsOf(move)},
    insert: pointsOf(insert),
    sampleWeight: insert.some(({weight}) => weight !== undefined) ? weights : undefined,
  });
  expect([...added], told).toEqual(insert.map(({id}) => id));
  const {ids, labels} = dynamic.canonicalLabels();
  expect([...ids], told).toEqual(oracle.ids);
  expect(labels, told).toEqual(oracle.fresh().labels);
  expect([...dynamic.labels().labels], told).toEqual(oracle.labels());
  expect(dynamic.changes(), told).toEqual(expected);
}
