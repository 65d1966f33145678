import {join} from 'node:path';
import {defineConfig} from 'vitest/config';
import {StallGuard} from './stallGuard.ts';

// Node then strips the types of a source file once, and not in every process that a test starts: a command takes
// 0.13 s of CPU to start instead of 0.43. Forks and their children inherit the variable.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../node_modules/.cache/node-compile');

/** Whether this is a run of all tests (`pnpm test:all`). Then a single test can take all cases. */
const IS_WHOLE = Number(process.env['EPSBALL_SHARE'] ?? 0) >= 1;

/** Node 22 does not parse `using`, so Vite compiles the modules there. */
const IS_COMPILED = Number.parseInt(process.versions.node, 10) < 24;

const ROOT = join(import.meta.dirname, '..');

/** Where `pnpm test` finds what failed. */
const REPORTS = process.env['EPSBALL_REPORTS'];

/** The longest delay of a timer: 24 days. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * The one test configuration; every package runs `vitest run --config ../../.config/vitest.ts`.
 * Forks, not threads: Dawn crashes when a worker thread is terminated.
 */
export default defineConfig({
  oxc: {target: 'es2023'},
  // Without 'module', which Node does not know: packages may keep files behind it that only bundlers can load.
  ssr: {resolve: {conditions: ['@epsball/source', 'node', 'import', 'default']}},
  test: {
    include: ['test/**/*.test.ts'],
    // Tests of many processes, of services that are killed, of full disks: minutes in all.
    exclude: IS_WHOLE ? [] : ['**/*.long.test.ts'],
    pool: 'forks',
    // Files of a worker share modules: loading them again took a third of the CPU time of all tests. A test that
    // changes what others see changes it back. The Vite module runner of Node 22 has no modules to share.
    isolate: IS_COMPILED,
    // With two packages at a time, these are more workers than cores. The last and longest package runs alone.
    maxWorkers: 2,
    // Node imports the sources itself and strips their types, so tests need no build. Vite's module runner turns each
    // use of an import into a getter call: O(n²) loops take three times as long.
    experimental: {viteModuleRunner: IS_COMPILED},
    execArgv: [
      '--conditions=@epsball/source',
      '--disable-warning=ExperimentalWarning',
      `--import=${join(ROOT, 'packages/wgsl-codegen/src/hook.ts')}`,
      `--import=${join(import.meta.dirname, 'pollSlowly.ts')}`,
    ],
    // No limits in wall time, which a busy machine would exceed: the guard ends tests that hang.
    testTimeout: 0,
    hookTimeout: 0,
    teardownTimeout: LONGEST_MS,
    expect: {poll: {timeout: LONGEST_MS}},
    reporters: [
      'default',
      new StallGuard({endlessCpuS: IS_WHOLE ? 3600 : 900}),
      ...(REPORTS === undefined ? [] : [['json', {outputFile: join(REPORTS, `${process.pid}.json`)}] as const]),
    ],
    passWithNoTests: false,
  },
});
