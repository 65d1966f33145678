import type {Outline} from '@epsball/datasets/outlines';
import {PADDING, type Frame} from './frame.ts';
import {num} from './svg.ts';

/** Pixels between the ends of a drawn line, at least. */
const STEP = 0.6;

type Place = readonly [x: number, y: number];

/** The coasts and borders inside a plot of longitudes and latitudes; empty if none lies in it. */
export function drawOutlines(outlines: readonly Outline[], frame: Frame): string {
  const {width, height, xRange, yRange} = frame;
  if (isBeyond(xRange, 360) || isBeyond(yRange, 90)) return '';
  const [scaleX, scaleY] = [width / (xRange[1] - xRange[0]), height / (yRange[1] - yRange[0])];
  const near = outlines.filter(
    ({min, max}) => min[0] <= xRange[1] && max[0] >= xRange[0] && min[1] <= yRange[1] && max[1] >= yRange[0],
  );
  const path = near.map(({line}) =>
    drawLine(
      line.map(([longitude, latitude]) => [(longitude - xRange[0]) * scaleX, (yRange[1] - latitude) * scaleY]),
      [width, height],
    ),
  );
  const drawn = path.join('');
  return drawn === '' ? '' : `<path class="eb-edge" stroke-width=".8" stroke-opacity=".6" d="${drawn}"/>`;
}

/** Whether a range exceeds that of degrees, apart from the margin of the plot. */
function isBeyond([min, max]: readonly [number, number], bound: number): boolean {
  return Math.max(-min, max) > bound * (1 + 2 * PADDING);
}

/** The parts of a line inside the area. */
function drawLine(line: readonly Place[], area: Place): string {
  let drawn = '';
  let end: Place | undefined;
  for (let k = 1, from = line[0]; k < line.length; k++) {
    const to = line[k];
    if (k + 1 < line.length && Math.hypot(to[0] - from[0], to[1] - from[1]) < STEP) continue;
    const part = within(from, to, area);
    if (part !== undefined) {
      const [start, stop] = part;
      drawn += end !== undefined && end[0] === start[0] && end[1] === start[1] ? '' : `M${text(start)}`;
      drawn += `L${text(stop)}`;
      end = stop;
    }
    from = to;
  }
  return drawn;
}

/** The part of a segment inside the area; undefined if there is none. @source Liang and Barsky 1984 */
function within(from: Place, to: Place, area: Place): readonly [Place, Place] | undefined {
  let [enters, leaves] = [0, 1];
  for (const axis of [0, 1]) {
    const step = to[axis] - from[axis];
    if (step === 0) {
      if (from[axis] < 0 || from[axis] > area[axis]) return undefined;
      continue;
    }
    const [low, high] = [-from[axis] / step, (area[axis] - from[axis]) / step];
    enters = Math.max(enters, Math.min(low, high));
    leaves = Math.min(leaves, Math.max(low, high));
  }
  if (!(enters < leaves)) return undefined;
  const at = (share: number): Place =>
    share === 0 ? from : share === 1 ? to : [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
  return [at(enters), at(leaves)];
}

function text([x, y]: Place): string {
  return `${num(x)} ${num(y)}`;
}
