import type {PointSet} from '@epsball/clustering';
import {mergeModes} from '@epsball/mean-shift';
import type {Recording} from './frame.ts';
import {count, figures, Tape} from './tape.ts';

const MAX_ITERATIONS = 60;

/** Points stop when a step is shorter than this, in bandwidths. It is the default of the package. */
const TOLERANCE = 1e-3;

/** Mean shift: every point climbs to a mode of the density; points of one mode are a cluster. */
export function recordMeanShift(points: PointSet, bandwidth: number): Recording {
  const {coords, dim} = points;
  const n = coords.length / dim;
  const tape = new Tape(n);
  let positions = Float64Array.from(coords);
  const isMoving = new Uint8Array(n).fill(1);
  tape.step('Each point stands on a hill: the sum of one Gaussian a point, as wide as the circle (the bandwidth).', {
    focus: n > 0 ? [0] : [],
    balls: n > 0 ? [0] : [],
    positions,
  });
  for (let iteration = 1; iteration <= MAX_ITERATIONS && isMoving.includes(1); iteration++) {
    const next = positions.slice();
    let longest = 0;
    for (let i = 0; i < n; i++) {
      if (isMoving[i] === 0) continue;
      const length = shift(points, positions, next, i, bandwidth);
      longest = Math.max(longest, length);
      if (length < TOLERANCE * bandwidth) isMoving[i] = 0;
    }
    positions = next;
    const moving = isMoving.reduce((sum, flag) => sum + flag, 0);
    const ascent = {
      iteration,
      'points that move': moving,
      'longest step, thousandths of the bandwidth': Math.round((longest / bandwidth) * 1000),
    };
    const text =
      moving === 0
        ? 'no step is longer than a thousandth of the bandwidth. All have arrived.'
        : `${count(moving, 'point')} moved to the weighted mean of the points around, uphill.`;
    tape.step(`Iteration ${iteration}: ${text}`, {positions, panels: [figures('Ascent', ascent)]});
  }
  const {labels, clusterCenters} = mergeModes(positions, dim, bandwidth);
  tape.paint.set(labels);
  const clusters = clusterCenters.length / dim;
  tape.step(`Modes near each other are one. ${count(clusters, 'cluster')}: points that climbed to one mode.`, {
    positions,
  });
  tape.step('Back at their places, the points have the colour of the mode that they climbed to.', {
    positions: Float64Array.from(coords),
  });
  return tape.end();
}

/** Moves position i to the weighted mean of the points around it; returns the length of the step. */
function shift({coords}: PointSet, from: Float64Array, to: Float64Array, i: number, bandwidth: number): number {
  const x = from[2 * i];
  const y = from[2 * i + 1];
  let weights = 0;
  let dx = 0;
  let dy = 0;
  for (let j = 0; j < coords.length; j += 2) {
    const ax = coords[j] - x;
    const ay = coords[j + 1] - y;
    const weight = Math.exp(-(ax * ax + ay * ay) / (2 * bandwidth * bandwidth));
    weights += weight;
    dx += weight * ax;
    dy += weight * ay;
  }
  to[2 * i] = x + dx / weights;
  to[2 * i + 1] = y + dy / weights;
  return Math.hypot(dx / weights, dy / weights);
}
