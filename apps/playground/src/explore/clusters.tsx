import {signal} from '@preact/signals';
import type {JSX} from 'preact';
import type {RunOutcome} from '../compute/api.ts';
import {colourOf} from '../designs/stage.tsx';
import {NO_LABEL} from '../draw/picture.ts';
import {formatCount} from '../format.ts';
import {theme} from '../state/theme.ts';

/** The cluster that is drawn in colour; `NO_LABEL` for all. */
export const selectedCluster = signal(NO_LABEL);

const SHOWN_MAX = 12;

/** The largest clusters, as buttons that single them out. */
export function Clusters({outcome}: {readonly outcome: RunOutcome}): JSX.Element {
  const sizes = sizesOf(outcome);
  return (
    <ul class="clusters" aria-label="Largest clusters">
      {sizes.slice(0, SHOWN_MAX).map(([label, size]) => (
        <li key={label}>
          <button
            type="button"
            aria-pressed={selectedCluster.value === label}
            onClick={() => selectCluster(label)}
            title={label < 0 ? 'Noise' : `Cluster ${label}`}
          >
            <span class="dot" style={{background: colourOf(label, theme.value)}} />
            {label < 0 ? 'noise' : label} <span class="quiet">{formatCount(size)}</span>
          </button>
        </li>
      ))}
      {sizes.length > SHOWN_MAX && <li class="quiet">and {formatCount(sizes.length - SHOWN_MAX)} smaller</li>}
    </ul>
  );
}

/** Singles a cluster out, or shows all again. */
export function selectCluster(label: number): void {
  selectedCluster.value = selectedCluster.value === label ? NO_LABEL : label;
}

/** Labels with their numbers of points, the largest first. */
function sizesOf({labels, clusterCount, noiseCount}: RunOutcome): (readonly [label: number, size: number])[] {
  const counts = new Int32Array(clusterCount);
  for (const label of labels) if (label >= 0) counts[label]++;
  const sizes = Array.from(counts, (size, label) => [label, size] as const).sort((a, b) => b[1] - a[1]);
  return noiseCount > 0 ? [[-1, noiseCount], ...sizes] : sizes;
}
