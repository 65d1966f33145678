import {checkRun} from './checks.ts';
import type {RunPlan, Task} from './run.ts';
import type {RunFiles} from './runFiles.ts';
import {taskName} from './run.ts';
import {rangeCount} from './tasks/mergeTasks.ts';
import {finalTiling, type BalanceFacts} from './tilingRounds.ts';

/** Tasks that may run at the same time, after all tasks of the stages before. */
export interface Stage {
  readonly name: Task['kind'];
  /** Place in the order of stages. */
  readonly ordinal: number;
  readonly tasks: readonly Task[];
  /** Those without a marker. */
  readonly pending: readonly Task[];
}

/**
 * The first stage of a run that has pending tasks, or undefined if the run is done.
 *
 * The store alone decides. So a run continues where it was after anything else is lost: workers, Redis, the client.
 *
 * @throws DamagedFileError  if a marker was damaged. It is removed, so the next call returns the stage of its task
 */
export async function nextStage(files: RunFiles): Promise<Stage | undefined> {
  checkRun(files);
  const done = await files.doneTasks();
  let ordinal = 0;
  for await (const tasks of stages(files)) {
    const pending = tasks.filter((task) => !done.has(taskName(task)));
    if (pending.length > 0) return {name: pending[0].kind, ordinal, tasks, pending};
    ordinal++;
  }
  return undefined;
}

/** All stages in order. A stage is known when the stages before are done. */
export async function* stages(files: RunFiles): AsyncGenerator<readonly Task[]> {
  const {inputs, order} = await files.request();
  yield inputs.flatMap(({kind}, index) => (kind === 'csv' ? [{kind: 'import' as const, index}] : []));
  yield [{kind: 'plan', index: 0}];
  const plan: RunPlan = await files.plan();
  for (let round = 0; ; round++) {
    yield plan.chunks.map((_, index) => ({kind: 'route', index, round}));
    yield [{kind: 'balance', index: 0, round}];
    const {next} = await files.facts<BalanceFacts>({kind: 'balance', index: 0, round});
    if (next === undefined) break;
  }
  const {tiling} = await finalTiling(files);
  const tiles = Array.from({length: tiling.tileCount}, (_, index) => index);
  yield tiles.map((index) => ({kind: 'tile', index}));
  const ranges = Array.from({length: rangeCount(plan)}, (_, index) => index);
  yield ranges.map((index) => ({kind: 'join', index}));
  yield [{kind: 'merge', index: 0}];
  if (order === 'tile') yield tiles.map((index) => ({kind: 'label', index}));
  else yield ranges.map((index) => ({kind: 'gather', index}));
}
