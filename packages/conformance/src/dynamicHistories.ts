import type {DynamicBatch} from './dynamicOracle.ts';
import {gaussian, seededRandom, type Random} from './random.ts';

/** A random history of points that come and go. */
export interface DynamicHistory {
  readonly dim: number;
  readonly eps: number;
  readonly minPts: number;
  readonly hasWeights: boolean;
  /** The next batch; the caller applies it. */
  readonly next: () => DynamicBatch;
}

/**
 * A history, determined by the seed: points on lattices, with distances of exactly eps, duplicates, moons, crowds and
 * blobs, in 1 to 4 dimensions, with weights or without. It grows to `size` points, then goes up and down.
 */
export function dynamicHistory(seed: number, size: number): DynamicHistory {
  const random = seededRandom(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)];
  const dim = pick([1, 2, 2, 2, 3, 4]);
  const step = pick([1, 0.1, 0.75]);
  const place = placeOf(pick(['lattice', 'lattice', 'moons', 'blobs', 'crowd']), dim, size, step, random);
  const hasWeights = random() < 0.25;
  const weigh = pick([() => Math.floor(random() * 9) / 4 - 0.5, () => 0.1 * Math.ceil(random() * 5), () => random()]);
  const batch = pick([1, 1, 1, 3, 10]);
  const there: {id: number; at: readonly number[]}[] = [];
  let nextId = 0;
  const next = (): DynamicBatch => {
    const insert: DynamicBatch['insert'][number][] = [];
    const remove: number[] = [];
    const move: DynamicBatch['move'][number][] = [];
    const left = new Set(there);
    for (let k = Math.ceil(random() * batch); k > 0; k--) {
      const chosen = there.length === 0 ? undefined : pick(there);
      const fate = random();
      if (chosen === undefined || fate < (there.length < size ? 0.6 : 0.3)) {
        // A quarter are duplicates.
        const at = chosen !== undefined && random() < 0.25 ? chosen.at : place();
        insert.push({id: nextId++, at, ...(hasWeights ? {weight: weigh()} : {})});
      } else if (left.delete(chosen)) {
        if (fate < 0.8) remove.push(chosen.id);
        else move.push({id: chosen.id, at: random() < 0.5 ? place() : chosen.at.map((x) => x + step)});
      }
    }
    const gone = new Set(remove);
    const kept = there.filter(({id}) => !gone.has(id)).map((one) => move.find(({id}) => id === one.id) ?? one);
    there.splice(0, there.length, ...kept, ...insert);
    return {remove, move, insert};
  };
  const eps = step * pick([1, 1, Math.SQRT2, 1.5]);
  return {dim, eps, minPts: hasWeights ? pick([1, 2, 3]) : pick([1, 2, 3, 4, 5]), hasWeights, next};
}

function placeOf(shape: string, dim: number, size: number, step: number, random: Random): () => number[] {
  const width = Math.ceil((size * 1.5) ** (1 / dim));
  const axes = Array.from({length: dim}, (_, d) => d);
  if (shape === 'lattice') return () => axes.map(() => Math.floor(random() * width) * step);
  if (shape === 'crowd') return () => axes.map(() => (Math.floor(random() * 3) + random() * 0.2) * step * 1.2);
  if (shape === 'blobs') return () => axes.map(() => (Math.floor(random() * 2) * 4 + gaussian(random)) * step);
  const radius = (size * step) / 8;
  return () => {
    const angle = Math.PI * random();
    const isUpper = random() < 0.5;
    const [x, y] = [Math.cos(angle) * radius, Math.sin(angle) * radius];
    return axes.map((d) => (d === 0 ? (isUpper ? x : radius - x) : d === 1 ? (isUpper ? y : radius / 2 - y) : 0));
  };
}
