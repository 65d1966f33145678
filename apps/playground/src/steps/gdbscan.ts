import type {DbscanParams} from '@epsball/clustering';
import {edgesFrom} from './frame.ts';
import {searchLevels} from './levels.ts';
import {testExamples, type Balls} from './neighbors.ts';
import {figures, type Tape} from './tape.ts';

/** G-DBSCAN: the neighbour graph of all points, then a breadth-first search over its edges, level by level. */
export function recordGdbscan(tape: Tape, balls: Balls, params: DbscanParams): void {
  const degrees = balls.map((ball) => ball.length);
  const edges = degrees.reduce((sum, degree) => sum + degree, 0);
  for (const i of testExamples(balls, params).slice(0, 1)) {
    tape.step(`Each point counts its neighbours: its degree. Point ${i} has degree ${degrees[i]}.`, {
      focus: [i],
      balls: [i],
      edges: edgesFrom(i, balls[i], 'graph'),
    });
  }
  const graph = figures('Neighbour graph', {
    points: degrees.length,
    edges,
    'largest degree': Math.max(0, ...degrees),
    'mean degree': Math.round(edges / Math.max(1, degrees.length)),
  });
  tape.step(`A prefix sum over the degrees gives each point its part of the edge list, ${edges} entries in all.`, {
    panels: [graph],
  });
  tape.edges = balls.flatMap((ball, from) =>
    edgesFrom(
      from,
      ball.filter((to) => to > from),
      'graph',
    ),
  );
  tape.step('Each point writes its neighbours into its part. The neighbour graph is complete.', {panels: [graph]});
  const cores = tape.markCore(balls, params.minPts);
  tape.step(
    `A point whose degree plus one is at least minPts = ${params.minPts} is core: ${cores} of ${balls.length}.`,
  );
  const visited = new Set<number>();
  for (const {level, frontier, claims, next, text} of searchLevels(balls, tape.core, tape.paint)) {
    for (const i of [...frontier, ...claims.map(({to}) => to)]) visited.add(i);
    const flags = {
      level,
      'Fa, frontier': frontier.length,
      'Fa, next level': next.length,
      'Xa, visited': visited.size,
    };
    tape.step(text, {focus: frontier, edges: claims, panels: [figures('Flags of the paper', flags)]});
  }
  tape.markNoise();
}
