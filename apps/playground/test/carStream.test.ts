import {dbscan} from '@epsball/dbscan';
import {describe, expect, it} from 'vitest';
import {CarStream, MIN_PTS} from '../src/stream/carStream.ts';

const EPS = 120;

describe('the stream of cars', () => {
  it('shows clusters of DBSCAN, whose ids live on through merges and splits', async () => {
    const stream = new CarStream(1500, EPS);
    let before = stream.frame();
    const kinds = new Set<string>();
    for (let step = 0; step < 60; step++) {
      stream.step();
      const now = stream.frame();
      for (const {kind} of now.changes) kinds.add(kind);
      const ended = new Set(now.changes.flatMap(({kind, id}) => (kind === 'died' || kind === 'merged' ? [id] : [])));
      const there = new Set(now.labels);
      for (const id of before.labels) expect(there.has(id) || ended.has(id)).toBe(true);
      before = now;
    }
    expect([...kinds].sort()).toEqual(['born', 'died', 'grown', 'merged', 'shrunk', 'split']);
    const {labels, clusters} = before;
    const fresh = await dbscan(stream.places, {
      eps: EPS,
      minPts: MIN_PTS,
      metric: 'haversine',
      angles: 'degrees',
      epsUnit: 'm',
      backend: 'sequential',
    });
    expect(fresh.clusterCount).toBe(clusters);
    const names = new Map(Array.from(fresh.labels, (label, k) => [label, labels[k]]));
    expect(Int32Array.from(fresh.labels, (label) => names.get(label) ?? NaN)).toEqual(labels);
    stream.setEps(2 * EPS);
    expect(stream.frame().clusters).not.toBe(clusters);
  });

  it('lies in the town', () => {
    const {coords} = new CarStream(500, EPS).frame();
    expect(Math.min(...coords)).toBeGreaterThan(-1);
    expect(Math.max(...coords)).toBeLessThan(12_001);
  });
});
