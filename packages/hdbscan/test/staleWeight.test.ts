import {expect, it} from 'vitest';
import {buildKdTree} from '@epsball/kd-tree';
import {chooseEdges, spanningTree, uniteRange, type RoundSteps} from '../src/tree/boruvka.ts';
import {createState, layCores, layLeafComponents, layNodeComponents} from '../src/tree/boruvkaState.ts';
import {findCores, searchInside, searchLeaves} from '../src/tree/leafSearch.ts';

/** Chains at y = 0, above it with a gap, and below it; the last point is of the upper chain, and near the first. */
function chains(): Float64Array {
  const xs = [0];
  for (let i = 1; i < 60; i++) xs.push(xs[i - 1] + 0.6 + 0.0005 * i);
  const points: number[] = [];
  const add = (from: number, to: number, right: number, y: (i: number) => number): void => {
    for (let i = from; i < to; i++) points.push(xs[i] + right, y(i));
  };
  add(0, 60, 0, () => 0);
  add(9, 28, 0, (i) => Math.sqrt(5) + 0.01 * Math.abs(i - 13));
  add(28, 60, Math.SQRT2 - 0.6, () => 3);
  add(34, 41, 0, (i) => -Math.sqrt(3) - 0.01 * Math.abs(i - 37));
  points.push(xs[52], 2);
  return Float64Array.from(points);
}

/** The weights of a tree in three chunks. With `isLate`, a thread is late with a weight in the second round. */
async function weightsOf(isLate: boolean): Promise<Float64Array> {
  const tree = buildKdTree({coords: chains(), dim: 2});
  const state = createState(tree, {});
  const {leaves} = state;
  findCores(state, 1, 0, leaves.length);
  layCores(state);
  const leafAt = (x: number): number => leaves.findIndex((leaf) => tree.boxes[4 * leaf] > x);
  const bounds = [0, leafAt(17.5), leafAt(26), leaves.length];
  const inside = (best: Float64Array, k: number): void => searchInside({state, best}, bounds[k], bounds[k + 1]);
  let round = 0;
  const steps: RoundSteps = {
    buffer: (bytes) => new ArrayBuffer(bytes),
    search: async (searched) => {
      const {best} = searched;
      layLeafComponents(searched, 0, leaves.length);
      layNodeComponents(searched);
      if (++round === 2 && isLate) {
        const component = state.component[tree.pointOrder.indexOf(0)];
        inside(
          late(best, component, () => [1, 2].forEach((k) => inside(best, k))),
          0,
        );
      } else [0, 1, 2].forEach((k) => inside(best, k));
      for (const k of [2, 1, 0]) searchLeaves(searched, bounds[k], bounds[k + 1]);
      chooseEdges(searched, 0, leaves.length);
    },
    unite: async () => [uniteRange(state, 0, tree.n)],
  };
  await spanningTree(state, steps);
  return state.edges.squared.toSorted();
}

/** Weights of a thread that stops between comparing and storing 5 for a component, while `others` go on. */
function late(best: Float64Array, component: number, others: () => void): Float64Array {
  let isPaused = false;
  return new Proxy(best, {
    get: (target, key) => Reflect.get(target, key),
    set: (target, key, value: number) => {
      if (!isPaused && Number(key) === component && Math.abs(value - 5) < 1e-9) {
        isPaused = true;
        others();
      }
      return Reflect.set(target, key, value);
    },
  });
}

it('a weight that a thread stores late leaves the tree as it is', async () => {
  expect(await weightsOf(true)).toEqual(await weightsOf(false));
});
