import {KeptPoints} from '../keptPoints.ts';
import {toPoints, type Axis, type PointsInput} from './toPoints.ts';

/**
 * Points for many runs with other eps, minPts, weights or metrics: converted, checked and copied once. A kept instance
 * does not send them again, and builds its index again only where eps or the metric changes.
 *
 * @param input  as for `toPoints`; not modified
 * @param axes   as for `toPoints`
 * @returns      points for every front door and variant. Devices and threads keep what they made of them until they are
 *               destroyed or run with other points
 * @throws InvalidParameterError, InvalidPointsError  as `toPoints`
 * @complexity   O(n · dim); allocates a copy
 */
export function keepPoints<Item = Readonly<Record<string, unknown>>>(
  input: PointsInput | readonly Item[],
  axes?: readonly Axis<Item>[],
): KeptPoints {
  return new KeptPoints(toPoints(input, axes));
}
