import {computed} from '@preact/signals';
import {COLOR_COUNT} from '@epsball/clustering/palette';
import type {JSX} from 'preact';
import type {Drawn} from '../draw/viewController.ts';
import {shownData, shownRun} from '../state/session.ts';
import {clusterPlaces} from './clusterPlaces.ts';

/** Largest clusters with a number. More numbers would cover each other. */
const NUMBERS_MAX = 40;

/** Where the numbers of clusters are; none while every cluster has a colour of its own. */
const places = computed(() => {
  const [data, run] = [shownData.value, shownRun.value];
  if (data === undefined || run === undefined || run.clusterCount <= COLOR_COUNT) return [];
  return clusterPlaces(data.coords, run.labels, run.clusterCount).slice(0, NUMBERS_MAX);
});

/** The numbers of clusters where colours repeat. */
export function Numbers({drawn: {scale, shift}}: {readonly drawn: Drawn}): JSX.Element {
  return (
    <svg class="overlay" aria-hidden="true">
      {places.value.map(({label, x, y}) => (
        <text key={label} class="number" x={x * scale + shift[0]} y={shift[1] - y * scale + 4}>
          {label}
        </text>
      ))}
    </svg>
  );
}
