import type {Chart} from '../chart.ts';
import type {MachineRuns} from '../front/machines.ts';
import type {Illustration} from '../illustration.ts';
import type {TitledTable} from '../table.ts';

/** What the report shows of an entry of a document: tables in its shape, charts, pictures, and remarks. */
export interface Exhibit {
  readonly tables?: readonly TitledTable[];
  readonly charts?: readonly Chart[];
  readonly pictures?: readonly Illustration[];
  /** Sentences below. */
  readonly notes?: readonly string[];
}

/** Builds an exhibit from the results of one machine; null if they lack it. */
export type ExhibitBuilder = (machine: MachineRuns) => Promise<Exhibit | null>;
