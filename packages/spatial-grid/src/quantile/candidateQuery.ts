import {levelStart} from './shape.ts';
import {limit2Of} from './reach.ts';
import type {QuantileDirectory} from './quantileDirectory.ts';

/** Finds the positions that can contain the neighbours of a point: the nested loops of Böhm et al. 2009, section 6. */
export class CandidateQuery {
  readonly #directory: QuantileDirectory;
  readonly #limit2: number;
  readonly #levelStarts: Int32Array;
  #key = 0;
  #count = 0;

  /** @param eps  finite, > 0; a directory serves any eps */
  constructor(directory: QuantileDirectory, eps: number) {
    const {levels, fanout, projection} = directory;
    this.#directory = directory;
    this.#limit2 = limit2Of(eps, levels, projection);
    this.#levelStarts = Int32Array.from({length: levels}, (_, level) => levelStart(level, fanout));
  }

  /** Length of the `ranges` array that `candidates` fills. */
  get rangesLength(): number {
    return this.#directory.leaves + 1;
  }

  /**
   * The positions in the leaves that the closed eps-ball around a position can reach, as ascending ranges. They
   * contain all its neighbours (reach.ts). Returns the number of ranges.
   *
   * @param ranges    receives start and end (exclusive) of each range; `rangesLength` values
   * @complexity      O(fanout · nodes reached), no allocation
   */
  candidates(position: number, ranges: Int32Array): number {
    this.#key = position * this.#directory.sortedKeys.stride;
    this.#count = 0;
    this.#visit(0, 0, 0, ranges);
    return this.#count >> 1;
  }

  /** Visits the children of node `parent`: the root, or a node of level `level` − 1 at distance √gap2. */
  #visit(level: number, parent: number, gap2: number, ranges: Int32Array): void {
    const {fanout, levels, nodeBounds, leafStart, sortedKeys} = this.#directory;
    const x = sortedKeys.values[this.#key + level];
    const first = parent * fanout;
    let at = 2 * (this.#levelStarts[level] + first);
    for (let node = first; node < first + fanout; node++, at += 2) {
      const gap = Math.max(nodeBounds[at] - x, x - nodeBounds[at + 1], 0);
      const sum = gap2 + gap * gap;
      if (sum > this.#limit2) continue;
      if (level + 1 < levels) this.#visit(level + 1, node, sum, ranges);
      else this.#append(leafStart[node], leafStart[node + 1], ranges);
    }
  }

  #append(start: number, end: number, ranges: Int32Array): void {
    if (start === end) return;
    const count = this.#count;
    if (count > 0 && ranges[count - 1] === start) {
      ranges[count - 1] = end;
      return;
    }
    ranges[count] = start;
    ranges[count + 1] = end;
    this.#count = count + 2;
  }
}
