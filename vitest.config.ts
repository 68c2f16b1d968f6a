import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

/** `npm run test:long`, `npm run test:crash` and `npm run test:cluster` run the tests that take minutes; nothing else does. */
const suite = process.env.BYLAW_SUITE ?? 'default';

/** There the tests `*.ci.test.ts` run, too: whole processes by the hundred, which take as long as all others together. */
const inCi = Boolean(process.env.CI) && process.env.CI !== 'false';

export default defineConfig({
  // What is loaded in the middle of an evaluation must be the module that the tests run: see compiler-loader.ts.
  resolve: { alias: [{ find: /^(.*\/compiler-loader)\.js$/, replacement: '$1.test-support.js' }] },
  test: {
    // Built files run as Node runs them, so that what they require is what they import.
    server: { deps: { external: [/\/packages\/[^/]+\/(?:lib|dist)\//] } },
    include: ['packages/*/src', 'test', 'verifier'].map((folder) => `${folder}/**/*.${suite === 'default' ? '' : `${suite}.`}test.ts`),
    exclude: [
      ...configDefaults.exclude,
      ...(suite === 'default' ? ['**/*.{long,crash,cluster}.test.ts'] : []),
      ...(inCi ? [] : ['**/*.ci.test.ts']),
    ],
    // Builds a real API server, once.
    globalSetup: suite === 'cluster' ? ['test/cluster/global-setup.ts'] : [],
    // Most tests wait for processes of their own, so one worker a processor is not too many.
    maxWorkers: Math.max(2, availableParallelism()),
    // Tests that start processes wait for the machine, not for the clock.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: suite === 'default' ? 60_000 : 3_600_000,
    hookTimeout: suite === 'default' ? 60_000 : 3_600_000,
  },
});
