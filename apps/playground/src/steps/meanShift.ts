import type {PointSet} from '@epsball/clustering';
import {mergeModes} from '@epsball/mean-shift';
import type {Panel, Recording} from './frame.ts';
import {count} from './neighbors.ts';
import {Tape} from './tape.ts';

export interface MeanShiftStepParams {
  readonly bandwidth: number;
  /** Most iterations. Default: 60. */
  readonly maxIterations?: number;
}

/** Points stop when a step is shorter than this, in bandwidths. It is the default of the package. */
const TOLERANCE = 1e-3;

/** Mean shift: every point climbs to a mode of the density; points of one mode are a cluster. */
export function recordMeanShift(points: PointSet, {bandwidth, maxIterations = 60}: MeanShiftStepParams): Recording {
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
  for (let iteration = 1; iteration <= maxIterations && isMoving.includes(1); iteration++) {
    const next = positions.slice();
    let longest = 0;
    for (let i = 0; i < n; i++) {
      if (isMoving[i] === 0) continue;
      const length = shift(points, positions, next, i, bandwidth);
      longest = Math.max(longest, length);
      if (length < TOLERANCE * bandwidth) isMoving[i] = 0;
    }
    positions = next;
    tape.step(describe(iteration, isMoving), {positions, panels: [panel(iteration, isMoving, longest / bandwidth)]});
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

function describe(iteration: number, isMoving: Uint8Array): string {
  const moving = isMoving.reduce((sum, flag) => sum + flag, 0);
  if (moving === 0)
    return `Iteration ${iteration}: no step is longer than a thousandth of the bandwidth. All have arrived.`;
  return `Iteration ${iteration}: ${count(moving, 'point')} moved to the weighted mean of the points around, uphill.`;
}

function panel(iteration: number, isMoving: Uint8Array, longest: number): Panel {
  return {
    kind: 'figures',
    title: 'Ascent',
    figures: [
      ['iteration', iteration],
      ['points that move', isMoving.reduce((sum, flag) => sum + flag, 0)],
      ['longest step, thousandths of the bandwidth', Math.round(longest * 1000)],
    ],
  };
}
