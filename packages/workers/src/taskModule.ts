import type {Task} from './task.ts';

/** A module of tasks, by where it lies. `Tasks` is the type of its namespace. */
export interface TaskModule<Tasks> {
  readonly url: string;
  /** Type only: never there. */
  readonly tasks?: Tasks;
}

/** The exports of a module that are tasks. */
export type TaskName<Tasks> = {
  [Name in keyof Tasks]: Tasks[Name] extends Task<never, unknown> ? Name : never;
}[keyof Tasks] &
  string;

/** The exports that are tasks and take this input. */
export type TaskTaking<Tasks, Input> = {
  [Name in keyof Tasks]: Tasks[Name] extends Task<Input, unknown> ? Name : never;
}[keyof Tasks] &
  string;

/** What a task takes and gives. */
export type TaskInput<One> = One extends Task<infer Input, unknown> ? Input : never;
export type TaskResult<One> = One extends Task<never, infer Result> ? Result : never;

/**
 * Names the module next to the caller that holds its tasks: `taskModule<typeof gridTasks>(import.meta.url, 'gridTasks')`, after
 * `import type * as gridTasks from './gridTasks.ts'`.
 *
 * @param metaUrl  the caller's `import.meta.url`; the module has the same ending, `.ts` in sources and `.js` in a build
 * @param name     of the file, without its ending
 */
export function taskModule<Tasks>(metaUrl: string, name: string): TaskModule<Tasks> {
  // A loader may have added a query.
  const ending = new URL(metaUrl).pathname.endsWith('.ts') ? 'ts' : 'js';
  return {url: new URL(`./${name}.${ending}`, metaUrl).href};
}
