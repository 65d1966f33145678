import {z} from 'zod';
import type {Adapter, Machine} from './machine.ts';
import type {CellOf, SuiteKind} from './suite.ts';
import type {ProfileName} from './suiteFacts.ts';
import {suiteKinds} from './suiteKinds.ts';

/** One suite, run once on one machine. */
export interface ResultFileOf<Kind extends SuiteKind> {
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
  readonly cells: readonly CellOf<Kind>[];
}

export type DbscanResultFile = ResultFileOf<'dbscan'>;
export type PrimitiveResultFile = ResultFileOf<'primitives'>;
export type MeanShiftResultFile = ResultFileOf<'mean-shift'>;
export type HdbscanResultFile = ResultFileOf<'hdbscan'>;
export type ResultFile = {[Kind in SuiteKind]: ResultFileOf<Kind>}[SuiteKind];

/** Whether any cell of a result needs an adapter, including cells that were left out for lack of one. */
export function asksForGpu<Kind extends SuiteKind>({kind, cells}: ResultFileOf<Kind>): boolean {
  return cells.some(suiteKinds[kind].needsGpu);
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
    schemaOf('dbscan'),
    schemaOf('primitives'),
    schemaOf('mean-shift'),
    schemaOf('hdbscan'),
  ]),
);

function schemaOf<Kind extends SuiteKind>(
  kind: Kind,
): z.ZodObject<typeof facts & {kind: z.ZodLiteral<Kind>; cells: z.ZodArray<(typeof suiteKinds)[Kind]['cellSchema']>}> {
  return z.object({...facts, kind: z.literal(kind), cells: z.array(suiteKinds[kind].cellSchema)});
}

/** The first files have no `kind`; all of them are of suites of DBSCAN. */
function withKind(json: unknown): unknown {
  return typeof json === 'object' && json !== null && !('kind' in json) ? {...json, kind: 'dbscan'} : json;
}
