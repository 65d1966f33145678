import {formatTable} from '@epsball/cli/command';
import type {StageTimes} from '@epsball/scale-out';
import type {MeasuredRun} from './measureRun.ts';

/** Steps that are one task in every run. */
const SINGLE: ReadonlySet<string> = new Set(['create', 'plan', 'balance', 'merge', 'labels']);

/** The wall time of a run, divided by what bounds it. The three times add up to it. */
interface RunBounds {
  /** Steps of one task: creation, plan, balance, merge, and the file of labels. */
  readonly singleMs: number;
  /** The other tasks, divided by the number at a time. */
  readonly sharedMs: number;
  /** Slots that wait for the last tasks of their step. */
  readonly idleMs: number;
}

function boundsOf({stages, concurrency}: Pick<MeasuredRun, 'stages' | 'concurrency'>): RunBounds {
  const sum = (some: readonly StageTimes[], of: (stage: StageTimes) => number): number =>
    some.reduce((total, stage) => total + of(stage), 0);
  const shared = stages.filter(({stage}) => !SINGLE.has(stage));
  const singleMs = sum(stages, ({wallMs}) => wallMs) - sum(shared, ({wallMs}) => wallMs);
  const sharedMs = sum(shared, ({taskMs}) => taskMs) / concurrency;
  return {singleMs, sharedMs, idleMs: sum(shared, ({wallMs}) => wallMs) - sharedMs};
}

const LEGEND = [
  'wall = single + shared + idle. single: steps of one task, and the file of labels. shared: the other tasks, divided',
  'by those at a time. idle: slots that wait for the last tasks of a step. tasks take: beside the first run.',
];

/** A table with a row for each run, compared with the first one, and what keeps each from its number of tasks. */
export function speedUpTable(runs: readonly MeasuredRun[]): string {
  const head = ['tasks', 'wall s', 'speed-up', 'CPU s', 'single s', 'shared s', 'idle s', 'tasks take', 'peak MiB'];
  const rows = runs.map((run) => speedUpRow(run, runs[0]));
  const lines = [...LEGEND, ...runs.slice(1).map((run) => whatBounds(run, runs[0]))];
  return `${formatTable([head, ...rows])}${lines.join('\n')}\n`;
}

function speedUpRow(run: MeasuredRun, first: MeasuredRun): string[] {
  const {singleMs, sharedMs, idleMs} = boundsOf(run);
  const factor = (first.wallMs / run.wallMs).toFixed(2);
  const parts = [run.cpuMs, singleMs, sharedMs, idleMs].map(seconds);
  const growth = `${growthOf(run, first).toFixed(2)} times`;
  return [slotsText(run), seconds(run.wallMs), factor, ...parts, growth, run.peakMiB.toFixed(0)];
}

/** `8 at a time and a GPU`, `16 at a time on GPUs: 2` */
export function slotsText({
  concurrency,
  hasGpu,
  gpuProcesses,
}: Pick<MeasuredRun, 'concurrency' | 'hasGpu' | 'gpuProcesses'>): string {
  const gpus = gpuProcesses > 0 ? ` on GPUs: ${gpuProcesses}` : '';
  return `${concurrency} at a time${hasGpu ? ' and a GPU' : gpus}`;
}

/** The largest part of what keeps a run from the speed-up of its number of tasks. */
function whatBounds(run: MeasuredRun, first: MeasuredRun): string {
  const {singleMs, idleMs, sharedMs} = boundsOf(run);
  const growth = growthOf(run, first);
  const losses: readonly (readonly [string, number])[] = [
    ['steps of one task', singleMs * (1 - 1 / run.concurrency)],
    ['waits for the last task of a step', idleMs],
    [`slower tasks (${growth.toFixed(2)} times)`, Math.max(0, sharedMs - sharedMs / growth)],
  ];
  const parts = [...losses].sort((a, b) => b[1] - a[1]).map(([name, ms]) => `${name} ${seconds(ms)} s`);
  const factor = (first.wallMs / run.wallMs).toFixed(2);
  return `${run.concurrency} at a time, ${factor} times as fast as ${first.concurrency}. Lost: ${parts.join(', ')}.`;
}

/** How much longer the shared tasks take. */
function growthOf(run: MeasuredRun, first: MeasuredRun): number {
  const all = (measured: MeasuredRun): number => boundsOf(measured).sharedMs * measured.concurrency;
  return all(run) / all(first);
}

/** Columns of times. The parts of a task: input, read, write and cluster; the others compute. */
const TIMES = {
  wall: 'wallMs',
  tasks: 'taskMs',
  CPU: 'cpuMs',
  input: 'inputMs',
  read: 'readMs',
  write: 'writeMs',
  cluster: 'clusterMs',
  GPU: 'callingThreadBusyMs',
} as const;

/** A table of the steps of one run. */
export function stageTable({stages, gpuTiles, hasGpu, tileCount}: MeasuredRun): string {
  const head = ['step', 'tasks', ...Object.keys(TIMES).map((name) => `${name} s`), 'read GB', 'written GB'];
  const rowOf = (name: string, some: readonly StageTimes[]): string[] => {
    const sum = (of: (stage: StageTimes) => number): number => some.reduce((total, stage) => total + of(stage), 0);
    return [
      name,
      String(sum(({tasks}) => tasks)),
      ...Object.values(TIMES).map((time) => seconds(sum((stage) => stage[time]))),
      ...[sum(({readBytes}) => readBytes), sum(({writtenBytes}) => writtenBytes)].map((n) => (n / 1e9).toFixed(2)),
    ];
  };
  const gpu = gpuTiles > 0 || hasGpu ? `the GPU clustered ${gpuTiles} of ${tileCount} tiles\n` : '';
  const rows = stages.map((stage) => rowOf(stage.stage, [stage]));
  return `${formatTable([head, ...rows, rowOf('sum', stages)])}${gpu}`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(2);
}
