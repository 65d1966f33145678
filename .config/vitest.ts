import {defineConfig} from 'vitest/config';

/** Where all tests run, one test can take all cases. */
const TIMES_LONGER = Number(process.env['EPSBALL_SHARE'] ?? 0) < 1 ? 1 : 4;

/** Node 22 parses no `using`, so Vite compiles there what it loads. */
const IS_COMPILED = Number.parseInt(process.versions.node, 10) < 24;

/**
 * The one test configuration; every package runs `vitest run --config ../../.config/vitest.ts`.
 * Forks, not threads: Dawn does not survive a worker thread that is terminated.
 */
export default defineConfig({
  oxc: {target: 'es2023'},
  ssr: {resolve: {conditions: ['@epsball/source', 'module', 'node', 'import', 'default']}},
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    // With two packages at a time, more than cores: the last and longest package has the machine to itself.
    maxWorkers: 2,
    // Node imports the sources itself and strips their types, so tests need no build. Vite's module runner would turn each use of an
    // import into a getter call: O(n²) loops took three times as long.
    experimental: {viteModuleRunner: IS_COMPILED},
    execArgv: ['--conditions=@epsball/source', '--disable-warning=ExperimentalWarning'],
    // Against hanging only; a crowded machine may be ten times slower than a quiet one.
    testTimeout: 300_000 * TIMES_LONGER,
    hookTimeout: 300_000,
    teardownTimeout: 120_000,
    passWithNoTests: false,
  },
});
