import {DynamicOracle, dynamicHistory, type DynamicBatch} from '@epsball/conformance';
import {SHARE, sizeOfShare} from '@epsball/conformance/share';
import {describe, expect, it} from 'vitest';
import {createDynamicDbscan, type DynamicDbscan} from '../src/index.ts';

/** The histories of the long run, and their changes. */
const HISTORIES = 1000;
const CHANGES = 1000;
const PARTS = 10;

// In parts, since the long run takes more CPU time than one test may.
describe('random histories give the labels, ids and events of clusterings from nothing after every change', () => {
  const changes = sizeOfShare(CHANGES, SHARE >= 1 ? 1 : 0.2);
  it.for(Array.from({length: PARTS}, (_, part) => part))(`part %s of ${PARTS}`, (part) => {
    for (let seed = part; seed < sizeOfShare(HISTORIES); seed += PARTS) follow(seed, changes);
  });
});

function follow(seed: number, changes: number): void {
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
