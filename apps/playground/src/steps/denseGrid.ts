import type {DbscanParams, PointSet} from '@epsball/clustering';
import {gridOf, type CellGrid} from './cells.ts';
import {Forest} from './forest.ts';
import type {Edge} from './frame.ts';
import {describeTest, type Balls} from './neighbors.ts';
import {count, figures, type Tape} from './tape.ts';

/** Cells within this distance on an axis may hold neighbours: their side is eps / √2. */
const REACH = 2;

/** Slightly below eps / √2, so that rounding never puts two points of a cell farther apart than eps. */
const SIDE = (1 - 1e-6) / Math.SQRT2;

/** The dense grid: points of a cell are neighbours, so cells, not points, are united. */
export function recordDenseGrid(tape: Tape, balls: Balls, params: DbscanParams, points: PointSet): void {
  const grid = gridOf(points, params.eps * SIDE);
  tape.cells = grid.marks;
  tape.step('Cells have a diagonal of ε. So all points of a cell are neighbours, without a distance test.');
  testCore(tape, balls, grid, params);
  const forest = new Forest(tape);
  uniteCells(tape, balls, grid, forest);
  forest.finish(balls);
}

function testCore(tape: Tape, balls: Balls, grid: CellGrid, params: DbscanParams): void {
  const dense = grid.members.flatMap((members, cell) => (members.length >= params.minPts ? [cell] : []));
  const inDense = dense.flatMap((cell) => grid.members[cell]);
  for (const i of inDense) tape.core[i] = 1;
  tape.step(
    `${count(dense.length, 'cell')} with at least minPts = ${params.minPts} points (filled): ` +
      `all their ${inDense.length} points are core at once.`,
    {cells: grid.painted(dense, 0)},
  );
  const example = balls.findIndex((ball, i) => ball.length + 1 >= params.minPts && tape.core[i] === 0);
  if (example >= 0) {
    const cell = grid.cellOf[example];
    tape.step(`Other points count neighbours in the cells around. ${describeTest(example, balls, params)}`, {
      focus: [example],
      balls: [example],
      cells: grid.painted([cell, ...grid.around(cell, REACH)], 1),
    });
  }
  const cores = tape.markCore(balls, params.minPts);
  tape.step(`All other points are tested: ${cores} points are core.`);
}

/** One step for each cell that joins a set. */
function uniteCells(tape: Tape, balls: Balls, grid: CellGrid, forest: Forest): void {
  const coresOf = grid.members.map((members) => members.filter((i) => tape.core[i] === 1));
  for (const cores of coresOf) for (const i of cores) forest.unite(cores[0], i);
  const outline = tape.cells;
  const show = (): void => {
    forest.paint();
    const inSets = coresOf.flatMap(([head], cell) =>
      head === undefined ? [] : grid.painted([cell], forest.root(head)),
    );
    tape.cells = [...outline, ...inSets];
  };
  show();
  tape.step(`The core points of a cell are one set: ${forest.sets} sets for ${tape.core.length} points.`);
  const joins: Edge[] = [];
  coresOf.forEach((cores, cell) => {
    if (cores.length === 0) return;
    const found: Edge[] = [];
    let tests = 0;
    for (const other of grid.around(cell, REACH)) {
      const [head] = coresOf[other];
      if (head === undefined || forest.root(head) === forest.root(cores[0])) continue;
      const pair = findPair(balls, cores, coresOf[other]);
      tests += pair.tests;
      if (pair.edge === undefined) continue;
      forest.unite(cores[0], head);
      found.push(pair.edge);
    }
    if (found.length === 0) return;
    show();
    joins.push(...found);
    tape.edges = [...joins];
    const panel = figures('Sets of cells', {sets: forest.sets, 'pairs that joined cells': joins.length});
    tape.step(
      `The cell of point ${cores[0]} looks for one pair of neighbours with each cell around that is in another set, ` +
        `and joins ${found.length} (${count(tests, 'distance')}).`,
      {focus: found.flatMap(({from, to}) => [from, to]), panels: [panel]},
    );
  });
  tape.cells = outline;
}

/** The first pair of neighbours of two cells, and the number of distances until it is found. */
function findPair(balls: Balls, own: readonly number[], others: readonly number[]): {edge?: Edge; tests: number} {
  let tests = 0;
  for (const from of own) {
    for (const to of others) {
      tests++;
      if (balls[from].includes(to)) return {edge: {from, to, kind: 'tree'}, tests};
    }
  }
  return {tests};
}
