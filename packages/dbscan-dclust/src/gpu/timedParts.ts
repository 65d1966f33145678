import {DBSCAN_PHASES, type DbscanPhase} from '@epsball/clustering';

/** Kernels of the paper's Figure 8. Its fourth part, the collision matrix, is resolved on the host. */
const KERNEL_PARTS = ['expansion', 'newSeeds', 'seedRefill'] as const;

/** A label of device time: a phase, or a kernel of the phase `clusters`. */
export type TimedPart = DbscanPhase | (typeof KERNEL_PARTS)[number];

type Times = Partial<Record<TimedPart, number>>;

/** Sums device milliseconds by phase from those by part. */
export function phaseTimes(times: Times): Partial<Record<DbscanPhase, number>> {
  const byPhase: Partial<Record<DbscanPhase, number>> = {};
  for (const phase of DBSCAN_PHASES) {
    const ms = times[phase];
    if (ms !== undefined) byPhase[phase] = ms;
  }
  for (const part of KERNEL_PARTS) {
    const ms = times[part];
    if (ms !== undefined) byPhase.clusters = (byPhase.clusters ?? 0) + ms;
  }
  return byPhase;
}

/** Returns counters with the milliseconds of each kernel that was timed separately. */
export function kernelTimes(times: Times): Record<string, number> {
  const entries = KERNEL_PARTS.map((part) => [`${part}Ms`, times[part]] as const);
  return Object.fromEntries(
    entries.filter((entry): entry is [`${(typeof KERNEL_PARTS)[number]}Ms`, number] => entry[1] !== undefined),
  );
}
