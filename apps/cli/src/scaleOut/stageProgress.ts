import type {BarProgress} from '../cluster/progressBar.ts';

/** Progress of a stage; without a stage, the run waits for a worker. */
export interface StageTasks {
  readonly stage?: string | undefined;
  readonly done: number;
  readonly total: number;
}

/** Stages whose tasks read the input, each about the same number of bytes. */
const READING: ReadonlySet<string> = new Set(['import', 'route']);

/** What the bar shows of a stage: tasks, and bytes of the input where tasks read it. */
export function stageProgress({stage = 'waiting', done, total}: StageTasks, inputBytes: number): BarProgress {
  if (total === 0) return {phase: stage, done, total};
  const tasks = `${Math.floor(done)} of ${total} ${total === 1 ? 'task' : 'tasks'}`;
  const bytes = `, ${formatBytes((inputBytes * done) / total)} of ${formatBytes(inputBytes)}`;
  return {phase: stage, done, total, detail: READING.has(stage) ? `${tasks}${bytes}` : tasks};
}

/** `512 MB`, `1.5 GB`. */
function formatBytes(bytes: number): string {
  const [size, unit] = bytes < 1e9 ? [bytes / 1e6, 'megabyte'] : [bytes / 1e9, 'gigabyte'];
  return new Intl.NumberFormat('en', {style: 'unit', unit, maximumFractionDigits: 1}).format(size);
}
