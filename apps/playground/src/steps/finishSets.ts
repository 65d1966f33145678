import type {Forest} from './forest.ts';
import {count, labelsOf, type Balls} from './neighbors.ts';
import type {Tape} from './tape.ts';

/** The last steps of the designs with disjoint sets: roots, then labels. */
export function finishSets(tape: Tape, balls: Balls, forest: Forest): void {
  const roots = [...tape.core.keys()].filter((i) => tape.core[i] === 1 && forest.root(i) === i);
  tape.step(`Each root is the first point of its set. ${count(roots.length, 'root')}: as many clusters.`, {
    focus: roots,
  });
  tape.paint.set(labelsOf(balls, tape.core, (i) => forest.root(i)));
  tape.edges = [];
  tape.step('Roots are numbered in order. A border point takes its lowest adjacent cluster; the others are noise.');
}
