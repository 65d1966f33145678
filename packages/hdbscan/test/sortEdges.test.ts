import {seededRandom} from '@epsball/conformance';
import {createHdbscanSequential} from '@epsball/hdbscan';
import {createHdbscanWorkers} from '@epsball/hdbscan/workers';
import {describe, expect, it, vi} from 'vitest';
import {sortEdges} from '../src/hierarchy/sortEdges.ts';

const EDGES = 5000;

/** Weights from uniform numbers. */
const WEIGHTS: Readonly<Record<string, (u: number) => number>> = {
  'of many magnitudes': (u) => Math.exp(1000 * (u - 0.5)),
  'of one magnitude': (u) => 1 + u,
  'with one upper word': (u) => 1 + 1e-7 * u,
  'with few keys, because some are 0': (u) => (u < 0.1 ? 0 : 1 + 1e-6 * u),
  'with infinite and subnormal ones and −0': (u) => (u < 0.3 ? -0 : u < 0.5 ? Infinity : u * 1e-310),
  'of which many are equal': (u) => Math.floor(9 * u),
  'that are equal': () => 0.25,
};

describe('sortEdges', () => {
  it.each(Object.entries(WEIGHTS))('sorts weights %s', (_, weightOf) => {
    const random = seededRandom(1);
    const squared = Float64Array.from({length: EDGES}, () => weightOf(random()));
    const from = Int32Array.from(squared.keys());
    const sorted = sortEdges({from, to: from.map((k) => EDGES - k), squared});
    expect(sorted.squared).toEqual(squared.map((weight) => weight + 0).sort());
    // Edges of one weight keep their order.
    expect(sorted.from).toEqual(from.toSorted((a, b) => squared[a] - squared[b] || a - b));
    expect(sorted.to).toEqual(sorted.from.map((edge) => EDGES - edge));
  });

  it('sorts on threads as on one', async () => {
    const points = {coords: Float64Array.from({length: 40_000}, seededRandom(3)), dim: 1};
    const {labels, outlierScores} = await createHdbscanSequential().run(points);
    using onThreads = createHdbscanWorkers({threads: 2});
    const found = await onThreads.run(points);
    expect(found.labels.every((label, i) => label === labels[i])).toBe(true);
    expect(found.outlierScores.every((score, i) => score === outlierScores[i])).toBe(true);
  });

  it('needs no shared memory, which pages that are not cross-origin isolated lack', async () => {
    vi.stubGlobal('SharedArrayBuffer', undefined);
    try {
      const points = {coords: Float64Array.from({length: EDGES}, seededRandom(2)), dim: 1};
      const {hierarchy} = await createHdbscanSequential().run(points);
      expect(hierarchy.treeSquared).toEqual(hierarchy.treeSquared.toSorted());
    } finally {
      vi.unstubAllGlobals();
    }
  });
});
