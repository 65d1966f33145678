// What the stages of a graph leave for the next ones.
import type {BeginPass, EdgePlan, GraphOptions, NeighborGraph, UncountedGraph} from './neighborGraph.ts';
import type {EdgeFilter, PointBindings} from './rowKernels.ts';
import type {Encode, loadRows, RowSteps} from './rowSteps.ts';
import type {RowSurvey, SurveyInput} from './rowSurvey.ts';
import type {BufferPart} from './submitSteps.ts';

/** What a build leaves for plans and edges. */
export interface Built {
  readonly graph: NeighborGraph;
  readonly points: PointBindings;
  readonly beginPass: BeginPass;
  readonly options: GraphOptions;
}

/** The filter whose row lengths and starts are on the device. */
export interface Layout {
  readonly filter: EdgeFilter;
  readonly survey: RowSurvey;
}

/** A filter whose edges may be written. */
export interface Planned {
  readonly plan: EdgePlan;
  readonly survey: RowSurvey;
  readonly steps: Awaited<ReturnType<typeof loadRows>>;
}

/** A graph in the making. */
export interface Making extends Omit<Built, 'graph'> {
  readonly graph: Omit<UncountedGraph, 'rowStart'>;
}

/** What a look at rows runs. */
export interface Looking extends Pick<SurveyInput, 'rowLength' | 'otherRowLength'> {
  /** What is recorded already; a new one unless given. */
  readonly encoder?: GPUCommandEncoder;
  /** Parts that are 0 before. */
  readonly cleared?: readonly BufferPart[];
  readonly jobs: readonly RowSteps[];
  /** Undecided rows, where they are counted already. */
  readonly known?: number;
  /** Behind the scan. */
  readonly behind?: readonly Encode[];
}
