import type {DbscanParams, PointSet} from '@epsball/clustering';
import type {Edge, Panel, Recording} from './frame.ts';
import {describeLevel, markNoise} from './gridBfs.ts';
import {searchLevels, type Level} from './levels.ts';
import {coreFlags, findBalls, testExamples} from './neighbors.ts';
import {Tape} from './tape.ts';

/** G-DBSCAN: the neighbour graph of all points, then a breadth-first search over its edges, level by level. */
export function recordGdbscan(points: PointSet, params: DbscanParams): Recording {
  const balls = findBalls(points, params.eps);
  const tape = new Tape(balls.length);
  const edgeCount = balls.reduce((sum, ball) => sum + ball.length, 0);
  const degrees = balls.map((ball) => ball.length);
  for (const i of testExamples(balls, params).slice(0, 1)) {
    tape.step(`Each point counts its neighbours: its degree. Point ${i} has degree ${degrees[i]}.`, {
      focus: [i],
      balls: [i],
      edges: balls[i].map((to) => ({from: i, to, kind: 'graph' as const})),
    });
  }
  tape.step(`A prefix sum over the degrees gives each point its part of the edge list, ${edgeCount} entries in all.`, {
    panels: [degreePanel(degrees)],
  });
  tape.edges = balls.flatMap((ball, from) =>
    ball.filter((to) => to > from).map((to): Edge => ({from, to, kind: 'graph'})),
  );
  tape.step('Each point writes its neighbours into its part. The neighbour graph is complete.', {
    panels: [degreePanel(degrees)],
  });
  tape.core.set(coreFlags(balls, params.minPts));
  const cores = tape.core.reduce((sum, flag) => sum + flag, 0);
  tape.step(
    `A point whose degree plus one is at least minPts = ${params.minPts} is core: ${cores} of ${balls.length}.`,
  );
  const visited = new Set<number>();
  for (const level of searchLevels(balls, tape.core, tape.paint)) {
    for (const i of [...level.frontier, ...level.claims.map(({to}) => to)]) visited.add(i);
    tape.step(describeLevel(level), {
      focus: level.frontier,
      edges: level.claims,
      panels: [flagPanel(level, visited.size)],
    });
  }
  markNoise(tape);
  return tape.end();
}

function degreePanel(degrees: readonly number[]): Panel {
  const edges = degrees.reduce((sum, degree) => sum + degree, 0);
  return {
    kind: 'figures',
    title: 'Neighbour graph',
    figures: [
      ['points', degrees.length],
      ['edges', edges],
      ['largest degree', Math.max(0, ...degrees)],
      ['mean degree', Math.round(edges / Math.max(1, degrees.length))],
    ],
  };
}

function flagPanel({level, frontier, next}: Level, visited: number): Panel {
  return {
    kind: 'figures',
    title: 'Flags of the paper',
    figures: [
      ['level', level],
      ['Fa, frontier', frontier.length],
      ['Fa, next level', next.length],
      ['Xa, visited', visited],
    ],
  };
}
