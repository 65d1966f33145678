import {InvalidParameterError, InvalidPointsError, UnsupportedDimensionError} from '@epsball/clustering';
import {describe, expect, it} from 'vitest';
import {createDynamicDbscan, createWindowDbscan, restoreDynamicDbscan, restoreWindowDbscan} from '../src/index.ts';

/** What callers without types may give. */
const WRONG: readonly unknown[] = [
  undefined,
  null,
  5,
  'text',
  true,
  7n,
  {},
  {length: 1, 0: 0},
  new Map(),
  new Set([0]),
  new DataView(new ArrayBuffer(8)),
  () => 0,
  [undefined],
  [null],
  ['0'],
  [0n],
  [[NaN]],
  [[0], [1, 2]],
  {coords: undefined, dim: 1},
  {coords: Float64Array.of(0), dim: '1'},
  {coords: Float64Array.of(0, 1), dim: 2},
];

type Call = (value: never) => unknown;

const dynamicWithPoints = () => {
  const dynamic = createDynamicDbscan({eps: 1, minPts: 2, dim: 1});
  dynamic.insert([[0], [1], [5]]);
  return dynamic;
};

const windowWithPoints = () => {
  const window = createWindowDbscan({eps: 1, minPts: 2, dim: 1, window: {duration: 10}});
  window.insert([[0], [1], [5]], {time: [0, 1, 2]});
  return window;
};

function refuses(call: Call, values: readonly unknown[], told: string): void {
  for (const value of values) {
    let error: unknown;
    try {
      call(value as never);
    } catch (thrown) {
      error = thrown;
    }
    const isExpected = [InvalidParameterError, InvalidPointsError, UnsupportedDimensionError].some(
      (type) => error instanceof type,
    );
    expect(isExpected, `${told} of ${typeof value} ${Object.prototype.toString.call(value)}: ${String(error)}`).toBe(
      true,
    );
  }
}

describe('wrong arguments', () => {
  it('of a clustering are errors, and all is as before', () => {
    const dynamic = dynamicWithPoints();
    const before = dynamic.snapshot();
    const calls: Record<string, Call> = {
      insert: (value) => dynamic.insert(value),
      check: (value) => dynamic.check(value),
      remove: (value) => dynamic.remove(value),
      clusterOf: (value) => dynamic.clusterOf(value),
      'move ids': (value) => dynamic.move(value, [[3]]),
      'move no ids': (value) => dynamic.move(value, [[3], [4], [5], [6]]),
      'move points': (value) => dynamic.move([0], value),
      'update move': (value) => dynamic.update({move: {ids: value, points: [[1]]}}),
    };
    for (const [name, call] of Object.entries(calls)) refuses(call, WRONG, name);
    const notUndefined = WRONG.slice(1);
    refuses((value) => dynamic.update({remove: value}), notUndefined, 'update remove');
    refuses((value) => dynamic.update({insert: value}), notUndefined, 'update insert');
    refuses((value) => dynamic.update({move: value}), notUndefined, 'update move');
    refuses((value) => dynamic.insert([[1]], {sampleWeight: value}), notUndefined, 'weights that are not expected');
    const notObjects = WRONG.filter((value) => typeof value !== 'object' || Array.isArray(value) || value === null);
    refuses((value) => dynamic.update(value), notObjects, 'update');
    for (const options of [null, 5, 'text', [1], {weights: [1]}, {time: [1]}]) {
      refuses((value) => dynamic.insert([[1]], value), [options], 'options of insert');
      refuses((value) => dynamic.check([[1]], value), [options], 'options of check');
    }
    expect(dynamic.snapshot()).toEqual(before);
  });

  it('that are too many are errors, and all is as before', () => {
    const dynamic = dynamicWithPoints();
    const window = windowWithPoints();
    const states = () => [dynamic.snapshot(), window.snapshot()];
    const before = states();
    const more = (on: object, name: string, ...given: readonly unknown[]): void => {
      expect(() => Reflect.apply(Reflect.get(on, name), on, given), name).toThrow('arguments.length');
    };
    more(dynamic, 'insert', [[3]], {}, [1]);
    more(dynamic, 'check', [[3]], {}, [1]);
    more(dynamic, 'remove', [0], [1]);
    more(dynamic, 'move', [0], [[1]], [1]);
    more(dynamic, 'update', {remove: [0]}, {insert: [[1]]});
    more(dynamic, 'clusterOf', [0], [1]);
    more(window, 'insert', [[3]], {time: [5]}, [1]);
    more(window, 'advance', 5, 6);
    expect(states()).toEqual(before);
  });

  it('of a window are errors, and all is as before', () => {
    const window = windowWithPoints();
    const before = window.snapshot();
    refuses((value) => window.insert(value, {time: [3]}), WRONG, 'insert');
    refuses((value) => window.insert([[3]], {time: value}), WRONG, 'time');
    refuses((value) => window.insert([], {time: value}), [null, '', 5, {length: 0}], 'time of no points');
    refuses((value) => window.insert([[3]], {time: [3], sampleWeight: value}), WRONG.slice(1), 'sampleWeight');
    refuses((value) => window.insert([[3]], value), [null, 5, [3], {times: [3]}], 'options');
    refuses(
      (value) => window.advance(value),
      [...WRONG.filter((value) => value !== 5), '5', NaN, Infinity, 1],
      'advance',
    );
    expect(window.snapshot()).toEqual(before);
  });

  it('of what creates and restores are errors', () => {
    const options = {eps: 1, minPts: 2, dim: 1};
    refuses(createDynamicDbscan, WRONG, 'createDynamicDbscan');
    refuses(createWindowDbscan, WRONG, 'createWindowDbscan');
    refuses(restoreDynamicDbscan, [...WRONG, new Uint8Array(0), new Uint8Array(99)], 'restoreDynamicDbscan');
    refuses(restoreWindowDbscan, [...WRONG, new Uint8Array(0)], 'restoreWindowDbscan');
    for (const name of ['eps', 'minPts', 'dim', 'metric', 'angles', 'epsUnit', 'sampleWeight', 'size']) {
      const isDefault = (value: unknown): boolean =>
        (value === undefined && !['eps', 'minPts', 'dim'].includes(name)) ||
        (value === true && name === 'sampleWeight') ||
        (value === 5 && ['eps', 'minPts'].includes(name));
      const values = WRONG.filter((value) => !isDefault(value));
      refuses((value) => createDynamicDbscan({...options, [name]: value}), values, name);
    }
    refuses((value) => createWindowDbscan({...options, window: value}), WRONG, 'window');
    refuses(
      (value) => createWindowDbscan({...options, window: {duration: value}}),
      [...WRONG.slice(0, 2), '5'],
      'window',
    );
    refuses((value) => createWindowDbscan({...options, window: {count: value}}), [...WRONG.slice(0, 2), 1.5], 'window');
  });
});

describe('snapshots', () => {
  it('keep what JSON keeps, and refuse the rest', () => {
    const dynamic = dynamicWithPoints();
    const circle: unknown[] = [];
    circle.push(circle);
    const lost = [NaN, 7n, () => 0, Symbol('s'), new Map(), new Date(0), {a: undefined}, [Infinity], circle];
    refuses((value) => dynamic.snapshot(value), lost, 'snapshot');
    const extra = {line: 7, names: ['a', null], on: true};
    expect(restoreDynamicDbscan(dynamic.snapshot(extra)).extra).toEqual(extra);
  });

  it('may lie in a part of a Buffer', () => {
    const bytes = Buffer.concat([Buffer.alloc(3), dynamicWithPoints().snapshot()]).subarray(3);
    expect(restoreDynamicDbscan(bytes).pointCount).toBe(3);
  });

  it('of a clustering are no windows, whatever they keep besides', () => {
    const window = {duration: 10};
    const states = [
      {},
      {window, firstId: 0, times: 3, now: 1},
      {window, firstId: 0, times: [0, 1], now: 1},
      {window, firstId: 1, times: [0, 1, 2], now: 2},
      {window, firstId: 'x', times: [0, 1, 2], now: 2},
      {window: {}, firstId: 0, times: [0, 1, 2], now: 2},
      {window: 5, firstId: 0, times: [0, 1, 2], now: 2},
    ];
    refuses((state) => restoreWindowDbscan(dynamicWithPoints().snapshot(state)), states, 'restoreWindowDbscan');
  });
});
