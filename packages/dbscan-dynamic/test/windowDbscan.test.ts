import {InvalidParameterError, InvalidPointsError} from '@epsball/clustering';
import {seededRandom} from '@epsball/conformance';
import {describe, expect, it} from 'vitest';
import {createDynamicDbscan, createWindowDbscan, restoreWindowDbscan} from '../src/index.ts';

const params = {eps: 1, minPts: 2, dim: 1};
const onLine = (...xs: number[]) => ({coords: Float64Array.from(xs), dim: 1});

describe('a window', () => {
  it('of a duration keeps points of that age, and drops older ones', () => {
    const window = createWindowDbscan({...params, window: {duration: 10}});
    expect([...window.insert(onLine(0, 1), {time: [0, 5]})]).toEqual([0, 1]);
    window.advance(10);
    expect(window.view.pointCount).toBe(2);
    window.insert(onLine(2), {time: [10.5]});
    expect([...window.view.labels().ids]).toEqual([1, 2]);
    expect([...window.insert(onLine(7, 8, 9), {time: [11, 30, 30]})]).toEqual([-1, 3, 4]);
    expect([...window.view.labels().ids]).toEqual([3, 4]);
    window.advance(99);
    expect(window.view.pointCount).toBe(0);
    expect([...window.insert(onLine(1), {time: [99]})]).toEqual([5]);
  });

  it('of a count keeps the last points', () => {
    const window = createWindowDbscan({...params, window: {count: 3}});
    window.insert(onLine(0, 1));
    window.insert(onLine(2, 3));
    expect([...window.view.labels().ids]).toEqual([1, 2, 3]);
    expect([...window.insert(onLine(4, 5, 6, 7))]).toEqual([-1, 4, 5, 6]);
    // No core point of cluster 0 is left.
    expect([...window.view.labels().labels]).toEqual([1, 1, 1]);
  });

  it('lets clusters survive whose points all leave in the end', () => {
    const window = createWindowDbscan({...params, window: {count: 4}});
    for (let k = 0; k < 50; k++) window.insert(onLine(k / 2, 1000 + k / 2));
    expect(window.view.clusters().ids).toEqual(Float64Array.of(0, 1));
  });

  it('equals a clustering of its points after every call, and after a restart', () => {
    const random = seededRandom(3);
    let window = createWindowDbscan({...params, minPts: 3, window: {duration: 20}});
    const all: [number, number][] = [];
    let now = 0;
    for (let k = 0; k < 200; k++) {
      const n = Math.floor(random() * 4);
      const batch = Array.from({length: n}, (): [number, number] => [(now += random() * 3), Math.floor(random() * 30)]);
      window.insert(onLine(...batch.map(([, x]) => x)), {time: batch.map(([time]) => time)});
      all.push(...batch);
      const kept = all.filter(([time]) => now - time <= 20).map(([, x]) => x);
      const fresh = createDynamicDbscan({...params, minPts: 3});
      fresh.insert(onLine(...kept));
      expect(window.view.canonicalLabels().labels).toEqual(fresh.canonicalLabels().labels);
      if (k % 50 === 25) window = restoreWindowDbscan(window.snapshot());
    }
  });

  it('refuses times that run backwards, are missing or not wanted, and stays as it was', () => {
    const window = createWindowDbscan({...params, window: {duration: 10}});
    window.insert(onLine(0, 1), {time: [0, 5]});
    const before = window.snapshot();
    for (const time of [[4], [NaN], [Infinity], [6, 7], undefined]) {
      expect(() => window.insert(onLine(2), {time})).toThrow(InvalidParameterError);
    }
    expect(() => window.insert(onLine(2, 3), {time: [7, 6]})).toThrow('time[1] = 6');
    expect(() => window.insert(onLine(NaN), {time: [70]})).toThrow(InvalidPointsError);
    expect(() => window.insert(onLine(NaN, 3), {time: [7, 70]})).toThrow(InvalidPointsError);
    expect(() => window.advance(4)).toThrow(InvalidParameterError);
    expect(window.snapshot()).toEqual(before);
    const count = createWindowDbscan({...params, window: {count: 2}});
    expect(() => count.insert(onLine(1), {time: [1]})).toThrow(InvalidParameterError);
    expect(() => count.advance(1)).toThrow(InvalidParameterError);
    expect(() => restoreWindowDbscan(createDynamicDbscan(params).snapshot())).toThrow(InvalidParameterError);
    for (const wrong of [{}, {count: 0}, {count: 1, duration: 1}, {duration: -1}, undefined]) {
      expect(() => createWindowDbscan({...params, window: wrong} as never)).toThrow(InvalidParameterError);
    }
  });

  it('checks points that their own call pushes out, and keeps a window of its own', () => {
    const window = {count: 2};
    const places = createWindowDbscan({eps: 1, minPts: 1, dim: 1, sampleWeight: true, window});
    window.count = 1;
    const weights = {sampleWeight: [NaN, 1, 1]};
    expect(() => places.insert([[0], [1], [2]], weights)).toThrow('sampleWeight[0] = NaN');
    expect(() => places.insert([[1e300], [1], [2]], {sampleWeight: [1, 1, 1]})).toThrow('point 0');
    expect(places.view.pointCount).toBe(0);
    places.insert([[0], [1], [2]], {sampleWeight: [1, 1, 1]});
    expect(places.view.pointCount).toBe(2);
  });
});
