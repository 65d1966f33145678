// CPU time of a process and all that it started, as Linux counts it under /proc.
import {readdirSync, readFileSync} from 'node:fs';

interface ProcessTimes {
  readonly pid: number;
  readonly parent: number;
  /** Own CPU time, and that of children that ended and were waited for, in seconds. */
  readonly seconds: number;
}

export interface TreeCpu {
  /** The descendants that run, without the process itself. */
  readonly descendants: readonly number[];
  /** CPU seconds of all of them, ended children included: never falls while the processes between them live. */
  readonly seconds: number;
}

/** Ticks a second of the times in /proc: USER_HZ, 100 on every platform that Node supports. */
const TICKS = 100;

/** The CPU time of the tree below a process; undefined where there is no /proc. */
export function cpuOfTree(root: number): TreeCpu | undefined {
  const all = readProcesses();
  const own = all.find(({pid}) => pid === root);
  if (own === undefined) return undefined;
  const childrenOf = Map.groupBy(all, ({parent}) => parent);
  const tree = [own];
  // `tree` grows as it is walked.
  for (const {pid} of tree) tree.push(...(childrenOf.get(pid) ?? []));
  const seconds = tree.reduce((sum, one) => sum + one.seconds, 0);
  return {descendants: tree.slice(1).map(({pid}) => pid), seconds};
}

function readProcesses(): ProcessTimes[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => readTimes(Number(name)) ?? []);
  } catch {
    return [];
  }
}

/** Undefined if the process has ended meanwhile. */
function readTimes(pid: number): ProcessTimes | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name is in parentheses and may hold blanks and parentheses: fields count from the last one.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent = 0] = fields.slice(1);
    const seconds = fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) / TICKS;
    return {pid, parent, seconds};
  } catch {
    return undefined;
  }
}
