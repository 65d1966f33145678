import {InvalidParameterError} from '@epsball/clustering';
import {checkTask} from '../checks.ts';
import {taskName, type Task} from '../run.ts';
import type {RunFiles} from '../runFiles.ts';
import {stages} from '../stages.ts';
import {START, type StagePlace} from '../stageWalk.ts';
import type {RunJob, RunProgress, TaskJob} from './connection.ts';

// What Redis holds may come from anyone who reaches it. It is checked here, before it becomes a path or a number.

/** @throws InvalidParameterError  if the data are not those of a run; `openRun` checks the name */
export function parseRunJob(data: unknown): RunJob {
  const {work, name, isCancelled} = fieldsOf(data);
  if (typeof work !== 'string' || work === '') throw new InvalidParameterError('job.work', work, 'a folder, or s3://…');
  if (typeof name !== 'string') throw new InvalidParameterError('job.name', name, 'the name of a run');
  return {work, name, isCancelled: isCancelled === true};
}

/** @throws InvalidParameterError  if the data are not those of a task; `requireTask` checks that the run has it */
export function parseTaskJob(data: unknown): TaskJob {
  const {work, name} = parseRunJob(data);
  const {task} = fieldsOf(data);
  checkTask(task);
  const {kind, index, round}: Task = task;
  return {work, name, task: {kind, index, round}};
}

export function isTaskOf(name: string, data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'name' in data && data.name === name;
}

/** What a conductor said of its run; undefined if it said nothing, or it is not a progress. */
export function parseProgress(progress: unknown): RunProgress | undefined {
  if (typeof progress !== 'object' || progress === null) return undefined;
  const {stage, total, doneBefore, processedBefore}: Partial<Record<keyof RunProgress, unknown>> = progress;
  if (typeof stage !== 'string' || !/^[a-z]+$/.test(stage)) return undefined;
  if (!isCount(total) || !isCount(doneBefore) || !isCount(processedBefore)) return undefined;
  return {stage, total, doneBefore, processedBefore};
}

/** Where the conductor of a run was, of its progress: at the start of the run, if it does not say. */
export function parsePlace(progress: unknown): StagePlace {
  const place: unknown = typeof progress === 'object' && progress !== null && 'place' in progress ? progress.place : {};
  const {ordinal, setbacks}: Partial<Record<keyof StagePlace, unknown>> = Object(place);
  return isCount(ordinal) && isCount(setbacks) ? {ordinal, setbacks} : START;
}

/** @throws InvalidParameterError  if the run has no such task */
export async function requireTask(files: RunFiles, {kind, index, round}: Task): Promise<void> {
  for await (const tasks of stages(files)) {
    if (tasks.some((one) => one.kind === kind && one.index === index && one.round === round)) return;
  }
  throw new InvalidParameterError('task', taskName({kind, index, round}), `a task of run ${files.name}`);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function fieldsOf(data: unknown): Partial<Record<keyof TaskJob, unknown>> {
  if (typeof data === 'object' && data !== null) return data;
  throw new InvalidParameterError('job', data, '{work, name}, as submitRun adds it');
}
