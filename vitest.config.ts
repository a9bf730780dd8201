import { defineConfig } from 'vitest/config';

// `.ci/run` counts the tests of both groups by what they report here; a person needs no report.
const WHOLE_RUN = 'scripts/test-run.mjs';
const report = process.env.KB_TEST_REPORT;

export default defineConfig({
  test: {
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    projects: [
      {
        test: {
          name: 'fast',
          include: ['test/**/*.test.ts'],
          exclude: ['test/slow/**'],
          globalSetup: WHOLE_RUN,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // Half of the tests wait for servers and child processes: more workers than cores, and modules loaded once.
          isolate: false,
          maxWorkers: 3,
        },
      },
      {
        test: {
          name: 'slow',
          include: ['test/slow/**/*.test.ts'],
          globalSetup: WHOLE_RUN,
          testTimeout: 600_000,
          hookTimeout: 600_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
