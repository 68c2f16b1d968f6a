import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

/** `npm run test:long`, `npm run test:crash` and `npm run test:cluster` run the tests that take minutes; nothing else does. */
const suite = process.env.BYLAW_SUITE ?? 'default';

/** There the tests `*.ci.test.ts` run, too: whole processes by the hundred, which take as long as all others together. */
const inCi = Boolean(process.env.CI) && process.env.CI !== 'false';

const testsIn = (folder: string) => `${folder}/**/*.${suite === 'default' ? '' : `${suite}.`}test.ts`;

/**
 * Folders of pure functions. Their test files share workers, which saves half a second each. Nothing in them may change the process, its environment or
 * the state of a module for the files after it; any other folder is isolated.
 */
const pure = [
  'core/src/{answer,cel,chart,compliance,cost,evaluate,fix,json,number,report,rule,score,workload}',
  'core/src/resource/{input,kubernetes,text,yaml}',
  'cli/src/{evaluation,output}',
  'plugin-carbon/src/{estimate,factors,items,report}',
  'plugin-finops/src/{anomalies,forecast,price,series}',
  'plugin-gate/src/{approval,auth,config,evidence,json,limits,masking,proposal,verdict}',
  'plugin-k8s/src/export',
].map((folder) => testsIn(`packages/${folder}`));

const exclude = [
  ...configDefaults.exclude,
  ...(suite === 'default' ? ['**/*.{long,crash,cluster}.test.ts'] : []),
  ...(inCi ? [] : ['**/*.ci.test.ts']),
];

export default defineConfig({
  // What is loaded in the middle of an evaluation must be the module that the tests run: see compiler-loader.ts.
  resolve: { alias: [{ find: /^(.*\/compiler-loader)\.js$/, replacement: '$1.test-support.js' }] },
  test: {
    projects: [
      { extends: true, test: { name: 'pure', include: pure, exclude, isolate: false } },
      {
        extends: true,
        test: {
          name: 'isolated',
          include: ['packages/*/src', 'test', 'verifier'].map(testsIn),
          exclude: [...exclude, ...pure],
          // Builds a real API server, once.
          globalSetup: suite === 'cluster' ? ['test/cluster/global-setup.ts'] : [],
        },
      },
    ],
    // Built files run as Node runs them, from the compile cache, so that what they require is what they import.
    server: { deps: { external: [/\/packages\/[^/]+\/(?:lib|dist)\//] } },
    // Most tests wait for processes of their own, so one worker a processor is not too many.
    maxWorkers: Math.max(2, availableParallelism()),
    // Tests that start processes wait for the machine, not for the clock.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: suite === 'default' ? 60_000 : 3_600_000,
    hookTimeout: suite === 'default' ? 60_000 : 3_600_000,
  },
});
