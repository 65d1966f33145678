import type {Task} from './task.ts';

/** A module of tasks. `Tasks` is the type of its namespace. */
export interface TaskModule<Tasks> {
  readonly url: string;
  /** Carries the type; no value. */
  readonly tasks?: Tasks;
}

/** Names of the exports of a module that are tasks. */
export type TaskName<Tasks> = {
  [Name in keyof Tasks]: Tasks[Name] extends Task<never, unknown> ? Name : never;
}[keyof Tasks] &
  string;

/** Names of the exports that are tasks and take `Input`. */
export type TaskTaking<Tasks, Input> = {
  [Name in keyof Tasks]: Tasks[Name] extends Task<Input, unknown> ? Name : never;
}[keyof Tasks] &
  string;

/** Input and result of a task. */
export type TaskInput<One> = One extends Task<infer Input, unknown> ? Input : never;
export type TaskResult<One> = One extends Task<never, infer Result> ? Result : never;

/**
 * Names the module of tasks beside the caller: `taskModule<typeof gridTasks>(import.meta.url, 'gridTasks')`, after
 * `import type * as gridTasks from './gridTasks.ts'`.
 *
 * @param metaUrl  `import.meta.url` of the caller; the module has the same extension, `.ts` in sources and `.js` in a
 *                 build
 * @param name     file name of the module, without extension
 */
export function taskModule<Tasks>(metaUrl: string, name: string): TaskModule<Tasks> {
  // A loader may have appended a query.
  const ending = new URL(metaUrl).pathname.endsWith('.ts') ? 'ts' : 'js';
  return {url: new URL(`./${name}.${ending}`, metaUrl).href};
}
