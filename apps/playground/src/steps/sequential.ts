import type {DbscanParams} from '@epsball/clustering';
import {edgesFrom, NOISE_PAINT, UNSEEN} from './frame.ts';
import type {Balls} from './neighbors.ts';
import {count, type Tape} from './tape.ts';

/** DBSCAN as published: a seed list, and one region query a point. */
export function recordSequential(tape: Tape, balls: Balls, {minPts}: DbscanParams): void {
  const {paint} = tape;
  let cluster = 0;
  tape.step('The points are visited in order. A region query finds all points within ε of a point.');
  for (let i = 0; i < balls.length; i++) {
    if (paint[i] !== UNSEEN) continue;
    if (balls[i].length + 1 < minPts) {
      paint[i] = NOISE_PAINT;
      tape.step(`Point ${i} is not core. It is noise, until a cluster reaches it.`, {focus: [i], balls: [i]});
    } else {
      expandCluster(tape, balls, minPts, i, cluster++);
    }
  }
  tape.step('Every point has been visited. Points that no cluster has reached remain noise (grey).');
}

/** Grows the cluster of a core point until its seed list is empty. */
function expandCluster(tape: Tape, balls: Balls, minPts: number, first: number, cluster: number): void {
  const {paint, core} = tape;
  const seeds = [first];
  paint[first] = cluster;
  for (let at = 0; at < seeds.length; at++) {
    const i = seeds[at];
    core[i] = 1;
    const claimed = balls[i].filter((j) => paint[j] < 0);
    for (const j of claimed) paint[j] = cluster;
    seeds.push(...claimed.filter((j) => balls[j].length + 1 >= minPts));
    const items = seeds.slice(at + 1);
    const opening = i === first ? `Cluster ${cluster} starts at` : 'The next seed is';
    tape.step(`${opening} core point ${i}. It adds ${count(claimed.length, 'point')} to the cluster.`, {
      focus: [i],
      balls: [i],
      edges: edgesFrom(i, claimed, 'claim'),
      panels: [{kind: 'lists', title: 'Seed list', lists: [{name: `cluster ${cluster}`, paint: cluster, items}]}],
    });
  }
}
