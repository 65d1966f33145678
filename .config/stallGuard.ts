// Ends a run of tests that hangs. It counts progress and CPU time, not wall time, so a slow or busy machine never fails
// a test.
import type {Reporter, TestCase, TestModule} from 'vitest/node';
import {cpuOfTree, type TreeCpu} from './cpuOfTree.ts';

/** When a run hangs. */
export interface StallLimits {
  /** Endless: so much CPU time without progress. */
  readonly endlessCpuS: number;
  /**
   * Idle: so many ticks in a row without progress, with at most so much CPU time, and in most of them no thread that
   * waits for a processor. Default: 50 s in ten minutes; polling a GPU that never answers takes 36 s of it
   * (`pollSlowly.ts`).
   */
  readonly idle?: {readonly ticks: number; readonly cpuS: number};
  /** Time between two looks. Default: 5 s. */
  readonly tickMs?: number;
}

/** The reporter that watches. Without /proc it does nothing. */
export class StallGuard implements Reporter {
  readonly #limits: Required<StallLimits>;
  readonly #modules = new Set<TestModule>();
  readonly #tests = new Set<TestCase>();
  #timer: NodeJS.Timeout | undefined;
  /** The process tree at each tick since the last progress. */
  #ticks: TreeCpu[] = [];

  constructor({endlessCpuS, idle = {ticks: 120, cpuS: 50}, tickMs = 5000}: StallLimits) {
    this.#limits = {endlessCpuS, idle, tickMs};
  }

  onTestRunStart(): void {
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#tick(), this.#limits.tickMs).unref();
  }

  onTestModuleQueued(module: TestModule): void {
    this.#modules.add(module);
    this.#ticks = [];
  }

  onTestModuleEnd(module: TestModule): void {
    this.#modules.delete(module);
    this.#ticks = [];
  }

  onHookEnd(): void {
    this.#ticks = [];
  }

  onTestCaseReady(test: TestCase): void {
    this.#tests.add(test);
    this.#ticks = [];
  }

  onTestCaseResult(test: TestCase): void {
    this.#tests.delete(test);
    this.#ticks = [];
  }

  /** Goes on watching: what a test left open can keep the run from ending. The timer itself does not. */
  onTestRunEnd(): void {
    this.#ticks = [];
  }

  #tick(): void {
    const cpu = cpuOfTree(process.pid);
    if (cpu === undefined) return;
    const cpuAtTicks = this.#ticks.map(({seconds}) => seconds);
    const busyTicks = this.#ticks.slice(-this.#limits.idle.ticks).filter(({isBusy}) => isBusy).length;
    const reason = stallOf(cpuAtTicks, cpu.seconds, this.#limits, busyTicks);
    this.#ticks.push(cpu);
    if (reason === undefined) return;
    const running = this.#describeRunning() || '  none: the processes of the tests do not end\n';
    process.stderr.write(`stalled: ${reason}. Running:\n${running}`);
    for (const pid of cpu.descendants) kill(pid);
    process.exit(1);
  }

  /** A test that never yields to its event loop is not reported as running, so its file counts. */
  #describeRunning(): string {
    const files = Array.from(this.#modules, (module) => `  ${module.moduleId}\n`);
    const tests = Array.from(this.#tests, (test) => `  ${test.module.moduleId} > ${test.fullName}\n`);
    return [...files, ...tests].join('');
  }
}

/**
 * Why a run with this CPU time now, and those at earlier ticks since its last progress, hangs; undefined if not.
 *
 * @param busyTicks  of the last `idle.ticks`: those at which a thread computed or waited for a processor
 */
export function stallOf(
  cpuAtTicks: readonly number[],
  cpuS: number,
  {endlessCpuS, idle}: Pick<Required<StallLimits>, 'endlessCpuS' | 'idle'>,
  busyTicks: number = 0,
): string | undefined {
  if (cpuS - (cpuAtTicks[0] ?? cpuS) > endlessCpuS) return `no test ended in ${endlessCpuS} s of CPU time`;
  const before = cpuAtTicks.at(-idle.ticks);
  // On a busy machine a run gets little CPU time, and waits for it.
  if (2 * busyTicks > idle.ticks) return undefined;
  if (cpuAtTicks.length < idle.ticks || before === undefined || cpuS - before > idle.cpuS) return undefined;
  return `no test ended while the guard looked ${idle.ticks} times, and all processes wait`;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
