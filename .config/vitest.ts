import {defineConfig} from 'vitest/config';

/**
 * The one test configuration; every package runs `vitest run --config ../../.config/vitest.ts`.
 * Sources are imported directly (condition `@epsball/source`), so tests need no build.
 * Forks, not threads: Dawn does not survive a worker thread that is terminated.
 */
export default defineConfig({
  resolve: {conditions: ['@epsball/source']},
  ssr: {resolve: {conditions: ['@epsball/source', 'node', 'import', 'module', 'default']}},
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    passWithNoTests: false,
  },
});
