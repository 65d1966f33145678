import {NOISE_PAINT, UNSEEN, type CellMark, type Edge, type Frame, type Panel, type Recording} from './frame.ts';
import {labelsOf, type Balls} from './neighbors.ts';

/** What one step shows beside the state of the tape; edges and cells are of this step only. */
type StepMarks = Partial<Omit<Frame, 'text' | 'paint' | 'core'>>;

/** More eps-balls than these hide the points. */
const BALLS_MAX = 24;

/** Records steps. An algorithm changes the public state and calls `step`, which copies it into a frame. */
export class Tape {
  readonly paint: Int32Array;
  readonly core: Uint8Array;
  /** Edges that stay. */
  edges: readonly Edge[] = [];
  /** Cells that stay. */
  cells: readonly CellMark[] = [];
  readonly #frames: Frame[] = [];

  constructor(n: number) {
    this.paint = new Int32Array(n).fill(UNSEEN);
    this.core = new Uint8Array(n);
  }

  step(text: string, {focus = [], balls = [], edges = [], cells = [], panels = [], positions}: StepMarks = {}): void {
    this.#frames.push({
      text,
      paint: this.paint.slice(),
      core: this.core.slice(),
      focus,
      balls: balls.length > BALLS_MAX ? [] : balls,
      edges: edges.length > 0 ? [...this.edges, ...edges] : this.edges,
      cells: cells.length > 0 ? [...this.cells, ...cells] : this.cells,
      panels,
      ...(positions === undefined ? {} : {positions}),
    });
  }

  /** Marks all core points; returns their number. A ball counts its own point. */
  markCore(balls: Balls, minPts: number): number {
    this.core.set(balls.map((ball) => (ball.length + 1 >= minPts ? 1 : 0)));
    return this.core.reduce((sum, flag) => sum + flag, 0);
  }

  /** The last step of a search: points that are in no cluster are noise. */
  markNoise(): void {
    const left = [...this.paint.keys()].filter((i) => this.paint[i] === UNSEEN);
    for (const i of left) this.paint[i] = NOISE_PAINT;
    this.step(`No core point is left without a cluster. ${count(left.length, 'point')} in no cluster: noise (grey).`);
  }

  /** Labels by the sets of core points, as the last step shows them. */
  paintLabels(text: string, balls: Balls, rootOf: (i: number) => number): void {
    this.edges = [];
    this.paint.set(labelsOf(balls, this.core, rootOf));
    this.step(text);
  }

  /** The recording. Its labels are the paint of the last step. */
  end(): Recording {
    return {frames: this.#frames, labels: this.paint.slice()};
  }
}

export function figures(title: string, values: Readonly<Record<string, number>>): Panel {
  return {kind: 'figures', title, figures: Object.entries(values)};
}

/** `1 point`, `7 points`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
