import type {DbscanParams, PointSet} from '@epsball/clustering';
import {gridOf} from './cells.ts';
import {searchLevels} from './levels.ts';
import {describeTest, testExamples, type Balls} from './neighbors.ts';
import {figures, type Tape} from './tape.ts';

/** GPU-DBSCAN: a grid with cells of side eps, a core test, and one breadth-first search a cluster. */
export function recordGridBfs(tape: Tape, balls: Balls, params: DbscanParams, points: PointSet): void {
  const grid = gridOf(points, params.eps);
  tape.cells = grid.marks;
  tape.step(
    `Points are sorted into square cells of side ε. All neighbours of a point are in its cell and the eight around.`,
  );
  for (const i of testExamples(balls, params)) {
    tape.step(`${describeTest(i, balls, params)} Only points of the marked cells are compared.`, {
      focus: [i],
      balls: [i],
      cells: grid.painted([grid.cellOf[i], ...grid.around(grid.cellOf[i], 1)], 0),
    });
  }
  const cores = tape.markCore(balls, params.minPts);
  tape.step(`All points are tested at the same time: ${cores} of ${balls.length} are core (with a dark rim).`);
  for (const {cluster, level, frontier, claims, next, text} of searchLevels(balls, tape.core, tape.paint)) {
    const sizes = {
      cluster,
      level,
      frontier: frontier.length,
      'next frontier': next.length,
      'points in cluster': tape.paint.filter((value) => value === cluster).length,
    };
    tape.step(text, {focus: frontier, balls: frontier, edges: claims, panels: [figures('This search', sizes)]});
  }
  tape.markNoise();
}
