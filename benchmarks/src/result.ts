import {z} from 'zod';
import {cellSchema, type MeasuredCell} from './cell.ts';

/** The GPU adapter that the GPU cells of a file ran on. */
export const adapterSchema = z.object({
  name: z.string(),
  kind: z.enum(['hardware', 'system-software', 'bundled']),
  vendor: z.string(),
  architecture: z.string(),
  /** Driver and version, as the adapter describes itself. */
  description: z.string(),
  subgroupMinSize: z.number(),
  subgroupMaxSize: z.number(),
});
export type Adapter = z.infer<typeof adapterSchema>;

const machineSchema = z.object({
  node: z.string(),
  os: z.string(),
  arch: z.string(),
  cpu: z.string(),
  threads: z.int().positive(),
  memoryBytes: z.number().positive(),
});
export type Machine = z.infer<typeof machineSchema>;

/** Checks a result file: one suite, run once on one machine. */
export const resultFileSchema = z.object({
  format: z.literal('epsball-benchmark'),
  version: z.literal(2),
  suite: z.string().min(1),
  profile: z.enum(['quick', 'full']),
  /** UTC. */
  startedAt: z.iso.datetime(),
  elapsedMs: z.number().nonnegative(),
  /** Mean number of runnable processes in the minute before the run and in its last one; null if unknown. */
  load: z.object({before: z.number(), after: z.number()}).nullable(),
  /** `hash` is `unknown` outside a repository. */
  commit: z.object({hash: z.string().min(1), dirty: z.boolean()}),
  machine: machineSchema,
  adapter: adapterSchema.nullable(),
  /** Why there is no adapter. */
  adapterError: z.string().nullable(),
  cells: z.array(cellSchema),
});
export type ResultFile = z.infer<typeof resultFileSchema>;
export type ProfileName = ResultFile['profile'];

export function measuredCells({cells}: Pick<ResultFile, 'cells'>): MeasuredCell[] {
  return cells.filter((cell) => cell.status === 'measured');
}

/** GPU and processor: the two that times depend on. */
export function machineName({adapter, machine}: Pick<ResultFile, 'adapter' | 'machine'>): string {
  const cpu = `${machine.cpu}, ${machine.threads} ${machine.threads === 1 ? 'thread' : 'threads'}`;
  return adapter === null ? `${cpu}, without a GPU` : `${adapter.name} and ${cpu}`;
}
