import {findRoot, unite} from '@epsball/union-find';
import {buildCandidateIndex} from '../climb/candidates.ts';
import {CandidateSearch} from '../climb/candidateSearch.ts';
import {GroupBoxes, type JoinRule} from './groupBoxes.ts';
import {numberClusters, type MergedModes} from './mergeModes.ts';
import {groupModes} from './modeGroups.ts';
import type {Resumable} from '../resumable.ts';

/** Groups between two pauses: each is compared with those around it. */
const GROUPS_PER_PAUSE = 64;

/** Squares of numbers below this vanish in float64. */
const VANISHES = 2 ** -536;

/** Cells in a bandwidth for which all modes of a cell are near: the diagonal of k axes is √k cells. */
export function joiningCells(domains: readonly number[]): number {
  return Math.floor(Math.sqrt(Math.max(...domains))) + 1;
}

/**
 * Joins modes within a bandwidth of each other, and chains of such modes. All modes of a small cell are near; the boxes
 * around the modes of two cells tell for most pairs of cells whether any are near.
 *
 * @source  Comaniciu and Meer 2002, §4: “concatenate the basins of attraction”
 */
export function* joinModesResumably(shifted: Float64Array, dim: number, rule: JoinRule): Resumable<MergedModes> {
  const groups = yield* groupModes(shifted, dim, rule.bandwidth, undefined, joiningCells(rule.domains));
  const count = groups.sizes.length;
  const parent = Int32Array.from({length: count}, (_, g) => g);
  if (count > 1) {
    const boxes = new GroupBoxes(shifted, groups, rule);
    const search = new CandidateSearch(buildCandidateIndex({coords: boxes.middles, dim}, searchRadius(boxes, rule)));
    const {pointOrder} = search.index;
    for (let g = 0; g < count; g++) {
      if (g % GROUPS_PER_PAUSE === 0) yield g / count;
      const ranges = search.find(boxes.middles.subarray(g * dim, (g + 1) * dim));
      for (let r = 0; r < 2 * ranges; r += 2) {
        for (let slot = search.ranges[r]; slot < search.ranges[r + 1]; slot++) {
          const other = pointOrder?.[slot] ?? slot;
          if (other < g && findRoot(parent, other) !== findRoot(parent, g) && boxes.areNear(g, other)) {
            unite(parent, g, other);
          }
        }
      }
    }
  }
  const owner = parent.map((_, g) => findRoot(parent, g));
  const {clusterOf, ...clusters} = numberClusters(groups, owner);
  return {labels: groups.groupOf.map((group) => clusterOf[group]), ...clusters};
}

/** Largest distance between the middles of two boxes with near modes. */
function searchRadius({halfDiagonal}: GroupBoxes, {bandwidth, domains}: JoinRule): number {
  if (bandwidth * bandwidth === Infinity) return Infinity;
  // Near modes are within a bandwidth in each domain, and a mode is within half a diagonal of the middle of its box.
  const near = Math.sqrt(domains.length) * bandwidth + domains.reduce((sum, axes) => sum + axes) * VANISHES;
  return (near + 2 * halfDiagonal) * (1 + 2 ** -20);
}
