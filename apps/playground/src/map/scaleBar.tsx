import type {JSX} from 'preact';
import {formatCount} from '../format.ts';
import {kmPerUnit, roundKm} from './mercator.ts';

/** Longest bar, in style pixels. */
const LENGTH_MAX = 120;

/** Kilometres to scale at one height of a map. @param scale  style pixels of a unit of the projection */
export function ScaleBar({scale, y}: {readonly scale: number; readonly y: number}): JSX.Element {
  const kmPerPixel = kmPerUnit(y) / scale;
  const km = roundKm(LENGTH_MAX * kmPerPixel);
  return (
    <p class="scale-bar small">
      <span style={{width: `${km / kmPerPixel}px`}} />{' '}
      {km < 1 ? `${formatCount(km * 1000)} m` : `${formatCount(km)} km`}{' '}
      <span class="quiet">· outlines: Natural Earth</span>
    </p>
  );
}
