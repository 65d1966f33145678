import {InvalidParameterError, InvalidPointsError, UnsupportedDimensionError} from '@epsball/clustering';
import {describe, expect, it} from 'vitest';
import {cellGeometry} from '../src/cellGeometry.ts';
import {Engine} from '../src/engine.ts';
import {createDynamicDbscan, restoreDynamicDbscan, type DynamicDbscan} from '../src/index.ts';
import {PointHistory} from '../src/pointHistory.ts';
import {readSnapshot} from '../src/snapshot.ts';

/** Points on a line, one apart. */
const onLine = (...xs: number[]) => ({coords: Float64Array.from(xs), dim: 1});

const line = (...xs: number[]): DynamicDbscan => {
  const dynamic = createDynamicDbscan({eps: 1, minPts: 2, dim: 1});
  dynamic.insert(onLine(...xs));
  dynamic.changes();
  return dynamic;
};

describe('changes', () => {
  it('tell of a birth, a growth and a death', () => {
    const dynamic = createDynamicDbscan({eps: 1, minPts: 2, dim: 1});
    const [a, b] = dynamic.insert(onLine(0, 1));
    expect(dynamic.changes()).toEqual([{kind: 'born', id: 0, size: 2}]);
    dynamic.insert(onLine(2));
    expect(dynamic.changes()).toEqual([{kind: 'grown', id: 0, size: 3, before: 2}]);
    dynamic.remove([a, b]);
    expect(dynamic.changes()).toEqual([{kind: 'died', id: 0}]);
    expect(dynamic.changes()).toEqual([]);
  });

  it('tell which cluster a merge leaves: the one with most core points', () => {
    const dynamic = line(0, 1, 3, 4, 5);
    dynamic.insert(onLine(2));
    expect(dynamic.changes()).toEqual([
      {kind: 'merged', id: 0, into: 1},
      {kind: 'grown', id: 1, size: 6, before: 3},
    ]);
  });

  it('leave the smaller id after a merge of clusters of one size', () => {
    const dynamic = line(3, 4, 0, 1);
    dynamic.insert(onLine(2));
    expect(dynamic.changes()[0]).toEqual({kind: 'merged', id: 1, into: 0});
  });

  it('leave the id with the part of most old core points, at ties with that of the smallest point', () => {
    const larger = line(0, 1, 2, 3, 4, 5);
    larger.remove([2]);
    expect(larger.changes()).toEqual([
      {kind: 'split', id: 1, from: 0, size: 2},
      {kind: 'shrunk', id: 0, size: 3, before: 6},
    ]);
    expect([...larger.labels().labels]).toEqual([1, 1, 0, 0, 0]);
    const tie = line(3, 4, 2, 0, 1);
    tie.remove([2]);
    expect([...tie.labels().labels]).toEqual([0, 0, 1, 1]);
  });

  it('leave out clusters that came and went, and pass on what they took', () => {
    const dynamic = line(0, 1, 10, 11);
    dynamic.remove(dynamic.insert(onLine(20, 21)));
    expect(dynamic.changes()).toEqual([]);
    const short = dynamic.insert(onLine(20, 21, 22, 23, 24));
    dynamic.move([0, 1], onLine(19, 18));
    dynamic.remove([0, 1, ...short]);
    expect(dynamic.changes()).toEqual([{kind: 'died', id: 0}]);
    dynamic.insert(onLine(20, 21, 22, 23));
    dynamic.insert(onLine(12, 13, 14, 15, 16, 17, 18));
    dynamic.insert(onLine(19));
    expect(dynamic.changes()).toEqual([{kind: 'grown', id: 1, size: 14, before: 2}]);
  });

  it('keep the ids of clusters of which every point moves', () => {
    const dynamic = line(0, 1, 2, 10, 11);
    dynamic.move([0, 1, 2, 3, 4], onLine(100, 101, 102, 0, 1));
    expect(dynamic.changes()).toEqual([]);
    expect([...dynamic.labels().labels]).toEqual([0, 0, 0, 1, 1]);
  });
});

describe('points', () => {
  it('have labels, clusters, and changes of their clusters on demand', () => {
    const dynamic = line(0, 1, 3, 4, 5);
    expect(dynamic.pointChanges().after).toEqual(Float64Array.of(0, 0, 1, 1, 1));
    const [bridge] = dynamic.insert(onLine(2));
    expect(dynamic.pointChanges()).toEqual({
      ids: Float64Array.of(0, 1, bridge),
      before: Float64Array.of(0, 0, -1),
      after: Float64Array.of(1, 1, 1),
    });
    expect([...dynamic.clusterOf([bridge, 0])]).toEqual([1, 1]);
    expect(dynamic.clusters()).toEqual({ids: Float64Array.of(1), sizes: Int32Array.of(6)});
  });

  it('at the border have the cluster of the smallest core point, which may be far away', () => {
    const dynamic = createDynamicDbscan({eps: 1, minPts: 4, dim: 1});
    dynamic.insert(onLine(-2, -1.5, -1, 0, 1, 1.5, 2));
    expect(dynamic.canonicalLabels().labels).toEqual(Int32Array.of(0, 0, 0, 0, 1, 1, 1));
    dynamic.remove([2]);
    dynamic.insert(onLine(-1));
    expect(dynamic.canonicalLabels().labels).toEqual(Int32Array.of(1, 1, 0, 0, 0, 0, 1));
    expect([...dynamic.clusterOf([3])]).toEqual([...dynamic.clusterOf([4])]);
  });
});

describe('errors', () => {
  it('name options that are wrong, missing or unknown', () => {
    const good = {eps: 1, minPts: 2, dim: 2};
    for (const [name, value] of [
      ['eps', 0],
      ['eps', 2 ** -401],
      ['minPts', 1.5],
      ['dim', 0],
      ['metric', 'cosine'],
      ['sampleWeight', [1]],
      ['size', 1],
    ] as const) {
      expect(() => createDynamicDbscan({...good, [name]: value}), name).toThrow(InvalidParameterError);
    }
    expect(() => createDynamicDbscan({...good, dim: 5})).toThrow(UnsupportedDimensionError);
    expect(() => createDynamicDbscan({...good, dim: 3, metric: 'haversine', angles: 'degrees', epsUnit: 'm'})).toThrow(
      '2 with haversine',
    );
  });

  it('leave all as before', () => {
    const dynamic = line(0, 1, 5);
    const before = dynamic.snapshot();
    const calls: (() => unknown)[] = [
      () => dynamic.remove([0, 9]),
      () => dynamic.remove([1, 1]),
      () => dynamic.remove([0.5]),
      () => dynamic.remove(7 as never),
      () => dynamic.update({remove: [1], move: {ids: [1], points: onLine(3)}}),
      () => dynamic.move([0, 1], onLine(3)),
      () => dynamic.insert(onLine(1), {sampleWeight: [1]}),
      () => dynamic.insert(onLine(1), {weights: [1]} as never),
      () => dynamic.update({remove: [1], inserts: onLine(1)} as never),
    ];
    for (const call of calls) expect(call).toThrow(InvalidParameterError);
    for (const points of [onLine(1, NaN), {coords: Float64Array.of(1, 2), dim: 2}, onLine(1, 2 ** 41)]) {
      expect(() => dynamic.update({remove: [0], insert: points})).toThrow(InvalidPointsError);
    }
    expect(dynamic.snapshot()).toEqual(before);
  });

  it('refuse points without weights where points have them', () => {
    const dynamic = createDynamicDbscan({eps: 1, minPts: 2, dim: 1, sampleWeight: true});
    expect(() => dynamic.insert(onLine(1))).toThrow(InvalidParameterError);
    expect(() => dynamic.insert(onLine(1), {sampleWeight: [NaN]})).toThrow(InvalidParameterError);
    expect(dynamic.pointCount).toBe(0);
  });
});

describe('snapshots', () => {
  it('restore points, ids, clusters and changes that were not read', () => {
    const dynamic = line(0, 1, 3, 4, 5, 9);
    dynamic.pointChanges();
    dynamic.remove([5]);
    dynamic.insert(onLine(2));
    const restored = restoreDynamicDbscan(dynamic.snapshot());
    for (const one of [dynamic, restored]) {
      expect([...one.insert(onLine(7, 8))]).toEqual([7, 8]);
      one.remove([3]);
    }
    expect(restored.snapshot()).toEqual(dynamic.snapshot());
    expect(restored.labels()).toEqual(dynamic.labels());
    expect(restored.pointChanges()).toEqual(dynamic.pointChanges());
    expect(restored.changes()).toEqual(dynamic.changes());
  });

  it('are not kept by what they restore', () => {
    const history = new PointHistory();
    const {fill} = readSnapshot(line(0, 1, 3).snapshot());
    fill(new Engine(cellGeometry(1, 1), 1, 2, false), history);
    expect([history.ids, history.labels].map(({buffer}) => buffer.byteLength)).toEqual([0, 0]);
  });

  it('are refused if a byte or the end is missing or another', () => {
    const bytes = line(0, 1, 3).snapshot();
    for (let k = 0; k < bytes.length; k += 7) {
      const damaged = bytes.slice();
      damaged[k] ^= 16;
      expect(() => restoreDynamicDbscan(damaged)).toThrow(InvalidParameterError);
      expect(() => restoreDynamicDbscan(bytes.slice(0, k))).toThrow(InvalidParameterError);
    }
    expect(() => restoreDynamicDbscan('text' as never)).toThrow(InvalidParameterError);
  });
});
