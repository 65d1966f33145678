import {computed} from '@preact/signals';
import type {JSX} from 'preact';
import {colourOf} from '../designs/stage.tsx';
import {formatCount, formatNumber} from '../format.ts';
import {shownRun} from '../state/session.ts';
import {theme} from '../state/theme.ts';
import {layOutTree, type TreeBox} from './clusterTree.ts';
import {selectBranch, selectedBranch, selectedCluster} from './clusters.tsx';

const WIDTH = 280;
const HEIGHT = 520;
/** Narrower boxes are not drawn. */
const WIDTH_MIN = 0.5;

const boxes = computed(() => {
  const tree = shownRun.value?.tree;
  return tree && layOutTree(tree, HEIGHT);
});

/** The condensed tree of HDBSCAN*. A click on a cluster shows its points. */
export function TreeView(): JSX.Element | null {
  const tree = shownRun.value?.tree;
  const placed = boxes.value;
  if (tree === undefined || placed === undefined) return null;
  const drawn = placed.filter(({width}) => width * WIDTH >= WIDTH_MIN);
  return (
    <figure class="tree">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`The condensed tree of ${formatCount(placed.length)} clusters. Selected clusters are coloured.`}
        onClick={({target}) => {
          const cluster = target instanceof SVGElement ? target.dataset['cluster'] : undefined;
          if (cluster !== undefined) selectBranch(Number(cluster), tree);
        }}
      >
        {drawn.map((box) => (
          <rect
            key={box.cluster}
            data-cluster={box.cluster}
            class={classOf(box)}
            x={box.x * WIDTH}
            y={box.top}
            width={Math.max(WIDTH_MIN, box.width * WIDTH - WIDTH_MIN)}
            height={box.bottom - box.top}
            style={box.label < 0 ? {} : {fill: colourOf(box.label, theme.value)}}
          >
            <title>
              {`${box.isSelected ? `cluster ${box.label}` : 'not selected'}: ${formatCount(tree.size[box.cluster])} points, ` +
                `from distance ${formatNumber(tree.birth[box.cluster])} to ${formatNumber(tree.death[box.cluster])}`}
            </title>
          </rect>
        ))}
      </svg>
      <figcaption class="quiet small">
        Distance falls from top to bottom. A click shows the points of a cluster.
        {drawn.length < placed.length && ` ${formatCount(placed.length - drawn.length)} narrow clusters are not drawn.`}
      </figcaption>
    </figure>
  );
}

function classOf({cluster, label, isSelected}: TreeBox): string {
  const isShown = selectedBranch.value === cluster || (isSelected && label === selectedCluster.value);
  return [label < 0 ? 'above' : isSelected ? 'selected' : 'below', isShown ? 'shown' : ''].filter(Boolean).join(' ');
}
