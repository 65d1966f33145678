import {UNSEEN, type CellMark, type Edge, type Frame, type Panel, type Recording} from './frame.ts';

/** What one step shows beside the state of the tape. */
export interface StepMarks {
  readonly focus?: readonly number[];
  readonly balls?: readonly number[];
  /** Edges of this step only. */
  readonly edges?: readonly Edge[];
  /** Cells of this step only. */
  readonly cells?: readonly CellMark[];
  readonly panels?: readonly Panel[];
  readonly positions?: Float64Array;
}

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

  step(text: string, marks: StepMarks = {}): void {
    const {focus = [], balls = [], edges = [], cells = [], panels = [], positions} = marks;
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

  /** The recording. Its labels are the paint of the last step. */
  end(): Recording {
    return {frames: this.#frames, labels: this.paint.slice()};
  }
}
