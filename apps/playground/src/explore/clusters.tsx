import {computed, effect, signal} from '@preact/signals';
import type {JSX} from 'preact';
import type {ClusterTree, RunOutcome} from '../compute/api.ts';
import {colourOf} from '../designs/stage.tsx';
import {ASIDE, NO_LABEL} from '../draw/picture.ts';
import {formatCount} from '../format.ts';
import {shownRun} from '../state/session.ts';
import {theme} from '../state/theme.ts';
import {endOfBranch} from './clusterTree.ts';

/** The cluster that is drawn in colour; `NO_LABEL` for all. */
export const selectedCluster = signal(NO_LABEL);

/** The cluster of the condensed tree whose points are drawn in colour; `NO_LABEL` for none. */
export const selectedBranch = signal(NO_LABEL);

/** Labels as they are drawn: points beside the selected branch of the tree are aside. */
export const drawnLabels = computed(() => {
  const outcome = shownRun.value;
  const branch = selectedBranch.value;
  if (branch === NO_LABEL || outcome?.tree === undefined) return outcome?.labels;
  const {clusterOf} = outcome.tree;
  const end = endOfBranch(outcome.tree, branch);
  return outcome.labels.map((label, i) => (clusterOf[i] >= branch && clusterOf[i] < end ? label : ASIDE));
});

effect(() => {
  // The clusters of another run have other numbers.
  if (shownRun.value) selectedBranch.value = NO_LABEL;
});

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
  selectedBranch.value = NO_LABEL;
  selectedCluster.value = selectedCluster.value === label ? NO_LABEL : label;
}

/** Singles out a cluster of the condensed tree, or shows all again. */
export function selectBranch(cluster: number, {label}: ClusterTree): void {
  if (label[cluster] >= 0) {
    selectedBranch.value = NO_LABEL;
    selectCluster(label[cluster]);
    return;
  }
  selectedCluster.value = NO_LABEL;
  selectedBranch.value = selectedBranch.value === cluster ? NO_LABEL : cluster;
}

/** Labels with their numbers of points, the largest first. */
function sizesOf({labels, clusterCount, noiseCount}: RunOutcome): (readonly [label: number, size: number])[] {
  const counts = new Int32Array(clusterCount);
  for (const label of labels) if (label >= 0) counts[label]++;
  const sizes = Array.from(counts, (size, label) => [label, size] as const).sort((a, b) => b[1] - a[1]);
  return noiseCount > 0 ? [[-1, noiseCount], ...sizes] : sizes;
}
