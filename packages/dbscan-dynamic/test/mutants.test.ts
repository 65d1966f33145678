import {DynamicOracle, dynamicHistory, type IdRules} from '@epsball/conformance';
import {expect, it} from 'vitest';
import {CellEdges} from '../src/cellEdges.ts';
import {Cells} from '../src/cells.ts';
import {ClusterIds} from '../src/clusterIds.ts';
import {CountTest} from '../src/countTest.ts';
import {Labeller} from '../src/labeller.ts';
import {LostPoints} from '../src/lostPoints.ts';
import {Shares} from '../src/shares.ts';
import {SplitSearch} from '../src/splitSearch.ts';
import {WeightTest} from '../src/weightTest.ts';
import {follow} from './follow.ts';

const CONTRACT: IdRules = {isMore: (count, most) => count > most, namesParts: true};

/** Wrong rules of ids. */
const MUTANTS: Readonly<Record<string, IdRules>> = {
  'a split that keeps both ids': {...CONTRACT, namesParts: false},
  'a cluster that follows the smaller part': {...CONTRACT, isMore: (count, most) => most === 0 || count < most},
  'a tie that the last part wins': {...CONTRACT, isMore: (count, most) => count >= most},
};

it.for(Object.keys(MUTANTS))('the histories find %s', (name) => {
  const differs = Array.from({length: 20}, (_, seed) => seed).some((seed) => {
    const {dim, eps, minPts, next} = dynamicHistory(seed, 30);
    const [right, wrong] = [CONTRACT, MUTANTS[name]].map((rules) => new DynamicOracle(dim, {eps, minPts}, rules));
    return Array.from({length: 60}, next).some((batch) => {
      return JSON.stringify(right.update(batch)) !== JSON.stringify(wrong.update(batch));
    });
  });
  expect(differs).toBe(true);
});

/** Replaces a method. Returns what puts it back. */
function replace<Self extends object, Result>(
  {prototype}: {readonly prototype: Self},
  name: keyof Self,
  wrong: (right: () => Result, self: Self, given: readonly unknown[]) => Result,
): () => void {
  const method = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
  const value = function (this: Self, ...given: unknown[]): Result {
    return wrong(() => Reflect.apply(method.value, this, given), this, given);
  };
  Object.defineProperty(prototype, name, {...method, value});
  return () => Object.defineProperty(prototype, name, method);
}

const nothing = (): void => {};

/** Errors of the implementation. */
const FLAWS: Readonly<Record<string, () => () => void>> = {
  'a witness of an edge that is not renewed': () => replace(LostPoints, 'groups', () => []),
  'every second lost point is no witness': () => {
    let count = 0;
    return replace(LostPoints, 'add', (right: () => void) => (++count % 2 === 0 ? right() : undefined));
  },
  'an edge that stays': () => {
    const known = new Set<string>();
    return replace(CellEdges, 'has', (right: () => boolean, _, given) => {
      const pair = given.join(' ');
      if (right()) known.add(pair);
      return known.has(pair);
    });
  },
  'a part that is not broken off': () => replace(SplitSearch, 'parts', (right: () => unknown[]) => right().slice(1)),
  'a border that is not relabelled': () => replace(Labeller, 'forget', nothing),
  'a border point that keeps its first cluster': () => {
    const known = new Map<unknown, number>();
    return replace(Labeller, 'componentOf', (right: () => number, _, [slot]) => {
      const now = right();
      if (now >= 0 && !known.has(slot)) known.set(slot, now);
      return now < 0 ? now : (known.get(slot) ?? now);
    });
  },
  'a split that keeps both ids': () =>
    replace(ClusterIds, 'update', (right: () => void, self) => {
      right();
      for (const [id, from] of self.log.save().origins) {
        const part = self.ids.indexOf(id);
        if (from >= 0 && part >= 0) self.ids[part] = from;
      }
    }),
  'moved points that forget their cluster': () => replace(Shares, 'willMove', nothing),
  'cells that forget their cluster in a merge': () => replace(Shares, 'willMoveCell', nothing),
  'counts that removals do not lower': () => replace(CountTest, 'removed', nothing),
  'a cell that is left out': () => replace(Cells, 'collectNear', (right: () => number) => Math.max(0, right() - 1)),
  'weights that removals do not take': () => replace(WeightTest, 'removed', nothing),
};

it.for(Object.keys(FLAWS))('the histories find, in the implementation: %s', (name) => {
  const putBack = FLAWS[name]();
  try {
    expect(() => {
      for (let seed = 0; seed < 60; seed++) follow(seed, 100);
    }).toThrow();
  } finally {
    putBack();
  }
});
