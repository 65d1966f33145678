// Appends each failed test to the file that EPSBALL_FAILURES names, for the table at the end of `pnpm test`.
import {appendFileSync} from 'node:fs';
import {basename, relative} from 'node:path';
import type {Reporter, SerializedError, TestModule} from 'vitest/node';

/** A failure: a test, or a file that failed outside its tests. */
export interface Failure {
  readonly folder: string;
  /** The test file, relative to the folder. */
  readonly file: string;
  /** Full name of the test; absent if the file failed outside of tests. */
  readonly test?: string;
}

/** The reporter; does nothing without `path`. */
export class FailureList implements Reporter {
  readonly #path: string | undefined;
  readonly #root: string;

  constructor(path: string | undefined, root: string) {
    this.#path = path;
    this.#root = root;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    if (this.#path === undefined) return;
    const folder = relative(this.#root, process.cwd());
    const failures: Failure[] = modules.filter((one) => !one.ok()).flatMap((one) => failuresOf(one, folder));
    if (unhandledErrors.length > 0) failures.push({folder, file: 'an error outside of tests'});
    for (const failure of failures) appendFileSync(this.#path, `${JSON.stringify(failure)}\n`);
  }
}

function failuresOf(module: TestModule, folder: string): Failure[] {
  const file = module.relativeModuleId ?? basename(module.moduleId);
  const tests = Array.from(module.children.allTests('failed'), (test) => ({folder, file, test: test.fullName}));
  return tests.length > 0 ? tests : [{folder, file}];
}
