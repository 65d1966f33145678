import {z} from 'zod';
import {dbscanCellSchema, type DbscanCell} from './dbscan/result.ts';
import {runsOnGpu} from './meanShift/plan.ts';
import {meanShiftCellSchema, type MeanShiftCell} from './meanShift/result.ts';
import {primitiveCellSchema, type PrimitiveCell} from './primitives/result.ts';
import type {ProfileName} from './suiteFacts.ts';

export interface Machine {
  readonly node: string;
  readonly os: string;
  readonly arch: string;
  readonly cpu: string;
  readonly threads: number;
  readonly memoryBytes: number;
}

/** The GPU adapter that the GPU cells of a file ran on. */
export interface Adapter {
  readonly name: string;
  readonly kind: 'hardware' | 'system-software' | 'bundled';
  readonly vendor: string;
  readonly architecture: string;
  /** Driver and version, as the adapter describes itself. */
  readonly description: string;
  readonly subgroupMinSize: number;
  readonly subgroupMaxSize: number;
}

/** One suite, run once on one machine. */
interface ResultFileOf<Kind, Cell> {
  readonly format: 'epsball-benchmark';
  readonly version: 1;
  /** Shape of the cells. */
  readonly kind: Kind;
  readonly suite: string;
  readonly profile: ProfileName;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly elapsedMs: number;
  /** `hash` is `unknown` outside a repository. */
  readonly commit: {readonly hash: string; readonly dirty: boolean};
  readonly machine: Machine;
  readonly adapter: Adapter | null;
  /** Why there is no adapter. */
  readonly adapterError: string | null;
  readonly cells: readonly Cell[];
}

export type DbscanResultFile = ResultFileOf<'dbscan', DbscanCell>;
export type PrimitiveResultFile = ResultFileOf<'primitives', PrimitiveCell>;
export type MeanShiftResultFile = ResultFileOf<'mean-shift', MeanShiftCell>;
export type ResultFile = DbscanResultFile | PrimitiveResultFile | MeanShiftResultFile;

/** Whether some cell of a result asks for an adapter, be it that there was none. */
export function asksForGpu(result: ResultFile): boolean {
  switch (result.kind) {
    case 'dbscan':
      return result.cells.some(({backend}) => backend === 'gpu');
    case 'primitives':
      return result.cells.some(({implementation}) => implementation !== 'javascript');
    default:
      return result.cells.some(({method}) => runsOnGpu(method));
  }
}

const adapter = z.object({
  name: z.string(),
  kind: z.enum(['hardware', 'system-software', 'bundled']),
  vendor: z.string(),
  architecture: z.string(),
  description: z.string(),
  subgroupMinSize: z.number(),
  subgroupMaxSize: z.number(),
});

/** Checks an adapter as a child process hands it over. */
export const adapterSchema: z.ZodType<Adapter> = adapter;

const facts = {
  format: z.literal('epsball-benchmark'),
  version: z.literal(1),
  suite: z.string().min(1),
  profile: z.enum(['quick', 'full']),
  startedAt: z.iso.datetime(),
  elapsedMs: z.number().nonnegative(),
  commit: z.object({hash: z.string().min(1), dirty: z.boolean()}),
  machine: z.object({
    node: z.string(),
    os: z.string(),
    arch: z.string(),
    cpu: z.string(),
    threads: z.int().positive(),
    memoryBytes: z.number().positive(),
  }),
  adapter: adapter.nullable(),
  adapterError: z.string().nullable(),
};

/** Checks a result file; baselines and reports are read through it. */
export const resultFileSchema: z.ZodType<ResultFile> = z.preprocess(
  withKind,
  z.discriminatedUnion('kind', [
    z.object({...facts, kind: z.literal('dbscan'), cells: z.array(dbscanCellSchema)}),
    z.object({...facts, kind: z.literal('primitives'), cells: z.array(primitiveCellSchema)}),
    z.object({...facts, kind: z.literal('mean-shift'), cells: z.array(meanShiftCellSchema)}),
  ]),
);

/** Files from before there were several kinds say none; all of them are of the first. */
function withKind(json: unknown): unknown {
  return typeof json === 'object' && json !== null && !('kind' in json) ? {...json, kind: 'dbscan'} : json;
}
