/**
 * Runs one chunk of a wave, synchronously. A task must not wait for another chunk, because a wave may have more
 * chunks than the pool has threads.
 *
 * @param input  input of the wave; each thread has its own copy, in which shared memory is shared
 * @param start  first item of the chunk
 * @param end    item after the last one
 * @param chunk  number of the chunk in its wave or step, from 0
 * @returns      a small value, copied to the calling thread; large results go into shared memory
 */
export type Task<Input, Result> = (input: Input, start: number, end: number, chunk: number) => Result;

/** A module of tasks. `Tasks` is the type of its namespace. */
export interface TaskModule<Tasks> {
  readonly url: string;
  /** The module and all that it imports as one text, for bundles and browsers, where threads cannot load the URL. */
  readonly code?: string;
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
 * @param code     the module and all that it imports as one text. The builds of this repository add it; without it,
 *                 threads load the URL, which a bundler does not follow
 */
export function taskModule<Tasks>(metaUrl: string, name: string, code?: string): TaskModule<Tasks> {
  const text = code === undefined ? {} : {code};
  return {url: moduleUrl(metaUrl, name), ...text};
}

/** The URL of the module beside the caller. */
export function moduleUrl(metaUrl: string, name: string): string {
  // A bundle of CommonJS has no URL.
  if (!URL.canParse(metaUrl)) return name;
  // A loader may have appended a query.
  const ending = new URL(metaUrl).pathname.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./${name}.${ending}`, metaUrl).href;
}
