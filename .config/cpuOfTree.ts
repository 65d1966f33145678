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
  /** Whether a thread of them computes or waits for a processor; without the thread that asks. */
  readonly isBusy: boolean;
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
  // The thread that asks is runnable, too.
  const isBusy = tree.some(({pid}) => runnableThreads(pid) > (pid === process.pid ? 1 : 0));
  return {descendants: tree.slice(1).map(({pid}) => pid), seconds, isBusy};
}

/** The threads of a process in the state R; none if it has ended meanwhile. */
function runnableThreads(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.filter((thread) => fieldsOf(`/proc/${pid}/task/${thread}/stat`)[0] === 'R').length;
  } catch {
    return 0;
  }
}

/** From the state on. The name before is in parentheses and may hold blanks and parentheses. */
function fieldsOf(file: string): string[] {
  const stat = readFileSync(file, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
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
    const fields = fieldsOf(`/proc/${pid}/stat`).map(Number);
    const [parent = 0] = fields.slice(1);
    const seconds = fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) / TICKS;
    return {pid, parent, seconds};
  } catch {
    return undefined;
  }
}
