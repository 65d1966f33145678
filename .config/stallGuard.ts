// Ends a run of tests that hangs. It counts progress and CPU time, not wall time, so a slow or busy machine never fails
// a test.
import type {Reporter, TestCase, TestModule} from 'vitest/node';
import {cpuOfTree} from './cpuOfTree.ts';

/** Idle: so many ticks of the guard in a row, five minutes, without progress and almost without CPU time. */
const IDLE_TICKS = 60;
/** CPU time of an idle process tree in five minutes. A tick of the guard itself takes 1 to 2 ms. */
const IDLE_CPU_S = 0.5;

/** When a run hangs. */
export interface StallLimits {
  /** Endless: so much CPU time without progress. */
  readonly endlessCpuS: number;
  /** Time between two looks. Default: 5 s. */
  readonly tickMs?: number;
}

/** The reporter that watches. Without /proc it does nothing. */
export class StallGuard implements Reporter {
  readonly #endlessCpuS: number;
  readonly #tickMs: number;
  readonly #modules = new Set<TestModule>();
  readonly #tests = new Set<TestCase>();
  #timer: NodeJS.Timeout | undefined;
  /** CPU time of the process tree at each tick since the last progress. */
  #cpuAtTicks: number[] = [];

  constructor({endlessCpuS, tickMs = 5000}: StallLimits) {
    this.#endlessCpuS = endlessCpuS;
    this.#tickMs = tickMs;
  }

  onTestRunStart(): void {
    this.#timer = setInterval(() => this.#tick(), this.#tickMs).unref();
  }

  onTestModuleQueued(module: TestModule): void {
    this.#modules.add(module);
    this.#cpuAtTicks = [];
  }

  onTestModuleEnd(module: TestModule): void {
    this.#modules.delete(module);
    this.#cpuAtTicks = [];
  }

  onHookEnd(): void {
    this.#cpuAtTicks = [];
  }

  onTestCaseReady(test: TestCase): void {
    this.#tests.add(test);
    this.#cpuAtTicks = [];
  }

  onTestCaseResult(test: TestCase): void {
    this.#tests.delete(test);
    this.#cpuAtTicks = [];
  }

  onTestRunEnd(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const cpu = cpuOfTree(process.pid);
    if (cpu === undefined) return;
    const reason = stallOf(this.#cpuAtTicks, cpu.seconds, this.#endlessCpuS);
    this.#cpuAtTicks.push(cpu.seconds);
    if (reason === undefined) return;
    process.stderr.write(`stalled: ${reason}. Running:\n${this.#describeRunning()}`);
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

/** Why a run with this CPU time now, and those at earlier ticks since its last progress, hangs; undefined if not. */
export function stallOf(cpuAtTicks: readonly number[], cpuS: number, endlessCpuS: number): string | undefined {
  if (cpuS - (cpuAtTicks[0] ?? cpuS) > endlessCpuS) return `no test ended in ${endlessCpuS} s of CPU time`;
  const before = cpuAtTicks.at(-IDLE_TICKS);
  if (cpuAtTicks.length < IDLE_TICKS || before === undefined || cpuS - before > IDLE_CPU_S) return undefined;
  return `no test ended while the guard looked ${IDLE_TICKS} times, and all processes wait`;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
