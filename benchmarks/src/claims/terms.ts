import type {Subject} from '../cell.ts';
import type {CellQuery, Part, Term} from '../evidence.ts';
import type {Relation} from '../judge.ts';

/** A cell without its subject. */
export type Place = Omit<CellQuery, keyof Subject>;
interface Bounds {
  readonly least?: number;
  readonly most?: number;
}

/** The time of a code at a place. */
export function timeAt(subject: Subject, place: Place, power = 1): Term[] {
  return [{cell: {...place, ...subject}, power}];
}

/** How many times as long as `subject` the `base` takes. */
export function over(base: Subject, subject: Subject, place: Place): Term[] {
  return [...timeAt(base, place), ...timeAt(subject, place, -1)];
}

/** A speed-up at a place. */
export function speedUp(base: Subject, subject: Subject, place: Place, bounds: Bounds): Relation {
  return {name: `speed-up ${nameOf(place)}`, unit: 'factor', terms: over(base, subject, place), ...bounds};
}

/** A factor over another one. */
export function change(name: string, now: readonly Term[], before: readonly Term[], bounds: Bounds): Relation {
  return {name, unit: 'factor', terms: [...now, ...before.map((term) => ({...term, power: -term.power}))], ...bounds};
}

/** A part of a cell over another part of it. */
export function share(name: string, cell: CellQuery, part: Part, of: Part, bounds: Bounds): Relation {
  const unit = bounds.most !== undefined && bounds.most < 1 ? 'share' : 'factor';
  return {
    name,
    unit: bounds.least !== undefined && bounds.least < 1 ? 'share' : unit,
    terms: [
      {cell, part, power: 1},
      {cell, part: of, power: -1},
    ],
    ...bounds,
  };
}

/** The power by which a product of times grows with n, by least squares of the logarithms. */
export function growth(sizes: readonly number[], at: (n: number) => readonly Term[], bounds: Bounds): Relation {
  const logs = sizes.map(Math.log);
  const middle = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const squares = logs.reduce((sum, log) => sum + (log - middle) ** 2, 0);
  const terms = sizes.flatMap((n, k) =>
    at(n).map((term) => ({...term, power: (term.power * (logs[k] - middle)) / squares})),
  );
  return {name: 'power of n', unit: 'exponent', terms, ...bounds};
}

/** Each value over each later one, both ways, so that none is more than `most` times another. */
export function stable(
  name: string,
  values: readonly number[],
  at: (value: number) => readonly Term[],
  most: number,
): Relation[] {
  return values.flatMap((one, k) => {
    const others = values.slice(k + 1);
    return others.map((other) =>
      change(`${name} ${one} over ${name} ${other}`, at(one), at(other), {least: 1 / most, most}),
    );
  });
}

/** `at 30,000 points`, `at minPts 512`, `at 16 dimensions`. */
function nameOf({n, dim, params = {}}: Place): string {
  const words = Object.entries(params).map(([name, value]) => `${name} ${value}`);
  if (dim !== undefined) words.push(`${dim} dimensions`);
  if (words.length === 0 && n !== undefined) words.push(`${n.toLocaleString('en-US')} points`);
  return `at ${words.join(', ')}`;
}
