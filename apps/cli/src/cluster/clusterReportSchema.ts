// Apart from the report: a command that prints one loads no zod.
import {DBSCAN_PHASES, EPS_UNITS, METRICS} from '@epsball/clustering';
import {BACKENDS} from '@epsball/dbscan';
import {z} from 'zod';
import type {ClusterReport} from './clusterReport.ts';

const phaseTimes = z.partialRecord(z.enum(DBSCAN_PHASES), z.number());

/** Validates a `ClusterReport` in programs that read it. */
export const clusterReportSchema: z.ZodType<ClusterReport> = z.strictObject({
  input: z.string(),
  points: z.int(),
  missing: z.strictObject({rule: z.enum(['noise', 'drop']), rows: z.int()}).nullable(),
  dim: z.int(),
  precision: z.enum(['float32', 'float64']),
  columns: z.array(z.string()).nullable(),
  left: z.array(z.strictObject({name: z.string(), why: z.string()})).nullable(),
  eps: z.number(),
  epsUnit: z.enum(EPS_UNITS).nullable(),
  metric: z.enum(METRICS),
  weighted: z.boolean(),
  epsTime: z.number().nullable(),
  minPts: z.int(),
  by: z.string().nullable(),
  groups: z.array(z.strictObject({name: z.string(), size: z.int(), firstLabel: z.int(), clusters: z.int()})).nullable(),
  clusters: z.int(),
  noise: z.int(),
  core: z.int(),
  largest: z.array(
    z.strictObject({cluster: z.int(), size: z.int(), center: z.array(z.number()), extent: z.array(z.number())}),
  ),
  algorithm: z.string(),
  backend: z.enum(BACKENDS),
  options: z.record(z.string(), z.union([z.string(), z.number()])),
  adapter: z
    .strictObject({
      name: z.string(),
      kind: z.enum(['hardware', 'system-software', 'bundled']),
      vendor: z.string(),
      architecture: z.string(),
    })
    .nullable(),
  reason: z.string().nullable(),
  fallback: z.array(z.strictObject({algorithm: z.string(), backend: z.enum(BACKENDS), reason: z.string()})),
  ms: z.strictObject({
    read: z.number(),
    wall: z.number(),
    phases: phaseTimes,
    device: z.number().nullable(),
    devicePhases: phaseTimes.nullable(),
  }),
  deviceBytes: z.int().nullable(),
  counters: z.record(z.string(), z.number()),
  verified: z.array(z.string()),
  out: z.string().nullable(),
  plot: z.string().nullable(),
  model: z.string().nullable(),
  assigned: z.int().nullable(),
  explained: z.array(
    z.strictObject({
      row: z.int(),
      label: z.int(),
      isCore: z.boolean(),
      neighbors: z.int(),
      weight: z.number(),
      missing: z.number(),
      coreEps: z.number().nullable(),
      labelEps: z.number().nullable(),
      clusterEps: z.number().nullable(),
      cluster: z.int(),
    }),
  ),
});
