import type {DbscanParams, PointSet} from '@epsball/clustering';
import {findRoot, makeSets, unite} from '@epsball/union-find';
import {ChainState, type ChainStep} from './chains.ts';
import type {Edge, Panel, Recording} from './frame.ts';
import {count, findBalls, labelsOf} from './neighbors.ts';
import {Tape} from './tape.ts';

/** Chains that are expanded at the same time. */
const CHAINS = 5;

/** CUDA-DClust: chains grow from several points at the same time, note where they meet, and are joined at the end. */
export function recordDclust(points: PointSet, params: DbscanParams): Recording {
  const balls = findBalls(points, params.eps);
  const tape = new Tape(balls.length);
  const state = new ChainState(balls, params.minPts, CHAINS);
  tape.step(
    `${CHAINS} chains start in different parts of the input. Each has a list of seeds, and takes one in each round.`,
  );
  for (let round = 1; ; round++) {
    const step = state.advance();
    if (step === undefined) break;
    tape.paint.set(state.paint);
    tape.core.set(state.core);
    tape.edges = collisionEdges(state);
    tape.step(`Round ${round}. ${describe(step)}`, {
      focus: step.seeds,
      balls: step.seeds,
      edges: step.claims,
      panels: [seedPanel(state), matrixPanel(state)],
    });
  }
  const parent = new Int32Array(state.identities.length);
  makeSets(parent);
  for (const {row, column} of state.collisions) unite(parent, row, column);
  const roots = new Set([...parent.keys()].map((identity) => findRoot(parent, identity)));
  for (const i of tape.paint.keys()) {
    if (state.core[i] === 1) tape.paint[i] = findRoot(parent, state.paint[i]);
  }
  tape.step(
    `All points are processed. The host joins chains that have collided, directly or through others: ` +
      `${state.identities.length} chains become ${count(roots.size, 'cluster')}.`,
    {panels: [matrixPanel(state)]},
  );
  tape.edges = [];
  tape.paint.set(labelsOf(balls, state.core, (i) => findRoot(parent, state.paint[i])));
  tape.step('Clusters are numbered by their first core point. A border point takes its lowest adjacent cluster.');
  return tape.end();
}

function describe({seeds, started, split, claims, collisions, noise}: ChainStep): string {
  const parts = [
    `${count(seeds.length, 'chain')} process one seed each and mark ${count(claims.length, 'neighbour')}.`,
  ];
  if (started > 0) parts.push(`${count(started, 'new chain')} started at unprocessed points.`);
  if (split > 0) parts.push(`${count(split, 'idle chain')} took a seed of a long list.`);
  if (noise > 0) parts.push(`${count(noise, 'seed')} ${noise === 1 ? 'is' : 'are'} not core.`);
  for (const [a, b] of collisions.slice(0, 2))
    parts.push(`Chains ${a} and ${b} touch the same core point: a collision.`);
  return parts.join(' ');
}

/** Lines between the points at which chains have met. */
function collisionEdges({collisions}: ChainState): Edge[] {
  return collisions.map(({from, to}) => ({from, to, kind: 'cross' as const}));
}

function seedPanel({lists}: ChainState): Panel {
  return {
    kind: 'lists',
    title: 'Seed lists',
    lists: lists.map(({identity, seeds}) => ({name: `chain ${identity}`, paint: identity, items: [...seeds]})),
  };
}

function matrixPanel({identities, collisions}: ChainState): Panel {
  return {
    kind: 'matrix',
    title: 'Collision matrix',
    heads: identities.map((_, identity) => ({name: String(identity), paint: identity})),
    entries: collisions.map(({row, column}) => [row, column] as const),
  };
}
