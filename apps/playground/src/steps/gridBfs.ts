import type {DbscanParams, PointSet} from '@epsball/clustering';
import {gridOf, painted, type CellGrid} from './cells.ts';
import {NOISE_PAINT, UNSEEN, type Panel, type Recording} from './frame.ts';
import {searchLevels, type Level} from './levels.ts';
import {coreFlags, count, describeTest, findBalls, testExamples, type Balls} from './neighbors.ts';
import {Tape} from './tape.ts';

/** GPU-DBSCAN: a grid with cells of side eps, a core test, and one breadth-first search a cluster. */
export function recordGridBfs(points: PointSet, params: DbscanParams): Recording {
  const balls = findBalls(points, params.eps);
  const tape = new Tape(balls.length);
  const grid = gridOf(points, params.eps);
  tape.cells = grid.marks;
  tape.step(
    `Points are sorted into square cells of side ε. All neighbours of a point are in its cell and the eight around.`,
  );
  testCore(tape, balls, grid, params);
  for (const level of searchLevels(balls, tape.core, tape.paint)) {
    tape.step(describeLevel(level), {
      focus: level.frontier,
      balls: level.frontier,
      edges: level.claims,
      panels: [levelPanel(level, tape.paint)],
    });
  }
  markNoise(tape);
  return tape.end();
}

function testCore(tape: Tape, balls: Balls, grid: CellGrid, params: DbscanParams): void {
  for (const i of testExamples(balls, params)) {
    const cells = [grid.cellOf[i], ...grid.around(grid.cellOf[i], 1)].map((cell) => grid.marks[cell]);
    tape.step(`${describeTest(i, balls, params)} Only points of the marked cells are compared.`, {
      focus: [i],
      balls: [i],
      cells: painted(cells, 0),
    });
  }
  tape.core.set(coreFlags(balls, params.minPts));
  const cores = tape.core.reduce((sum, flag) => sum + flag, 0);
  tape.step(`All points are tested at the same time: ${cores} of ${balls.length} are core (with a dark rim).`);
}

/** `Search 2, level 3: 5 frontier points claim 9 points. 4 of them are core …` */
export function describeLevel({cluster, level, frontier, claims, next}: Level): string {
  const start =
    level === 0
      ? `Search ${cluster} starts at point ${frontier[0]}, the first core point without a cluster. It claims `
      : `Search ${cluster}, level ${level}: ${count(frontier.length, 'frontier point')} claim `;
  const then =
    next.length > 0
      ? `${next.length} of them ${next.length === 1 ? 'is' : 'are'} core and form the next frontier.`
      : 'The next frontier is empty, so the cluster is complete.';
  return `${start}${count(claims.length, 'point')}. ${then}`;
}

/** Sizes of the search. */
function levelPanel({cluster, level, frontier, next}: Level, paint: Int32Array): Panel {
  const claimed = paint.reduce((sum, value) => sum + (value === cluster ? 1 : 0), 0);
  return {
    kind: 'figures',
    title: 'This search',
    figures: [
      ['cluster', cluster],
      ['level', level],
      ['frontier', frontier.length],
      ['next frontier', next.length],
      ['points in cluster', claimed],
    ],
  };
}

/** The last step of a search: points that are in no cluster are noise. */
export function markNoise(tape: Tape): void {
  const left = [...tape.paint.keys()].filter((i) => tape.paint[i] === UNSEEN);
  for (const i of left) tape.paint[i] = NOISE_PAINT;
  tape.step(`No core point is left without a cluster. ${count(left.length, 'point')} in no cluster: noise (grey).`);
}
