// Intermediate results that the builder keeps between its calls.
import type {BufferSlice} from '@epsball/gpu';
import type {BeginPass, EdgePlan, GraphOptions, NeighborGraph, UncountedGraph} from './neighborGraph.ts';
import type {EdgeFilter, PointBindings} from './rowKernels.ts';
import type {Encode, loadRows, RowSteps} from './rowSteps.ts';
import type {RowSurvey, SurveyInput} from './rowSurvey.ts';

/** Result of a build, input of plans and edges. */
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

/** The last plan: a filter whose edges can be written. */
export interface Planned {
  readonly plan: EdgePlan;
  readonly survey: RowSurvey;
  readonly steps: Awaited<ReturnType<typeof loadRows>>;
}

/** A graph whose degrees are not counted yet. */
export interface UncountedBuild extends Omit<Built, 'graph'> {
  readonly graph: Omit<UncountedGraph, 'rowStart'>;
}

/** The commands around a survey of rows. */
export interface SurveyWork extends Pick<SurveyInput, 'rowLength' | 'otherRowLength'> {
  /** Receives the commands. Default: a new encoder. */
  readonly encoder?: GPUCommandEncoder;
  /** Buffer parts to fill with 0 first. */
  readonly cleared?: readonly BufferSlice[];
  readonly jobs: readonly RowSteps[];
  /** Number of undecided rows, if it is known. */
  readonly known?: number;
  /** Recorded after the scan. */
  readonly after?: readonly Encode[];
}
