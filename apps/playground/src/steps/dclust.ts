import type {DbscanParams} from '@epsball/clustering';
import {findRoot, makeSets, unite} from '@epsball/union-find';
import {ChainState} from './chains.ts';
import type {Panel} from './frame.ts';
import type {Balls} from './neighbors.ts';
import {count, type Tape} from './tape.ts';

const CHAINS = 5;

/** CUDA-DClust: chains grow from several points at the same time, note where they meet, and are joined at the end. */
export function recordDclust(tape: Tape, balls: Balls, params: DbscanParams): void {
  const state = new ChainState(balls, params.minPts, CHAINS);
  tape.step(
    `${CHAINS} chains start in different parts of the input. Each has a list of seeds, and takes one in each round.`,
  );
  for (let round = 1; ; round++) {
    const step = state.advance();
    if (step === undefined) break;
    tape.paint.set(state.paint);
    tape.core.set(state.core);
    // Lines between the points at which chains have met.
    tape.edges = state.collisions.map(({from, to}) => ({from, to, kind: 'cross'}));
    tape.step(`Round ${round}. ${step.text}`, {
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
  tape.paintLabels(
    'Clusters are numbered by their first core point. A border point takes its lowest adjacent cluster.',
    balls,
    (i) => findRoot(parent, state.paint[i]),
  );
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
