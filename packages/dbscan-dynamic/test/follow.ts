import {DynamicOracle, dynamicHistory, type DynamicBatch} from '@epsball/conformance';
import {expect} from 'vitest';
import {createDynamicDbscan, type DynamicDbscan} from '../src/index.ts';

/** Fails if labels, ids or events differ from those of a clustering from nothing, after any of the changes. */
export function follow(seed: number, changes: number): void {
  const {dim, eps, minPts, hasWeights, next} = dynamicHistory(seed, 10 + (seed % 4) * 20);
  const oracle = new DynamicOracle(dim, {eps, minPts});
  const dynamic = createDynamicDbscan({eps, minPts, dim, sampleWeight: hasWeights});
  for (let change = 0; change < changes; change++) {
    const batch = next();
    const expected = oracle.update(batch);
    apply(dynamic, batch, dim);
    const told = `seed ${seed}, change ${change}`;
    const {ids, labels} = dynamic.canonicalLabels();
    expect([...ids], told).toEqual(oracle.ids);
    expect(labels, told).toEqual(oracle.fresh().labels);
    expect([...dynamic.labels().labels], told).toEqual(oracle.labels());
    expect(dynamic.changes(), told).toEqual(expected);
  }
}

function apply(dynamic: DynamicDbscan, {remove, move, insert}: DynamicBatch, dim: number): void {
  const pointsOf = (list: readonly {readonly at: readonly number[]}[]) => ({
    coords: Float64Array.from(list.flatMap(({at}) => [...at])),
    dim,
  });
  const weights = insert.map(({weight}) => weight ?? 1);
  const ids = dynamic.update({
    remove,
    move: {ids: move.map(({id}) => id), points: pointsOf(move)},
    insert: pointsOf(insert),
    sampleWeight: insert.some(({weight}) => weight !== undefined) ? weights : undefined,
  });
  expect([...ids]).toEqual(insert.map(({id}) => id));
}
