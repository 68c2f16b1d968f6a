/**
 * Builds, then runs the tests: `npm test` runs all of them but `*.ci.test.ts`, `npm test -- packages/core/src/cel` those below a path; further
 * arguments are vitest's. `--suite=long`, `--suite=crash` and `--suite=cluster` run the tests `*.long.test.ts`, `*.crash.test.ts` or `*.cluster.test.ts`
 * instead, which take minutes. The last line of the output is `N passed, N failed, N skipped`. Where `CI` is set, those are run, too, and a skipped test is a
 * failure: there the programs that a test may lack are installed first.
 */
import { fileURLToPath } from 'node:url';
import { parseCLI, startVitest } from 'vitest/node';
import { build } from './build.js';

const given = process.argv.slice(2);
const suite = given.find((argument) => argument.startsWith('--suite='));
if (suite) process.env.BYLAW_SUITE = suite.slice('--suite='.length);
// The processes and threads of tests load the same files hundreds of times.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/bylaw-compiled', import.meta.url));
const { filter, options } = parseCLI(['vitest', 'run', ...given.filter((argument) => argument !== suite)]);
const tally = (await build()) ? await runTests(filter, options) : { passed: 0, failed: 1, skipped: 0 };
const strict = Boolean(process.env.CI) && process.env.CI !== 'false';
if (strict && tally.skipped > 0)
  console.error(`${tally.skipped} ${tally.skipped === 1 ? 'test was' : 'tests were'} skipped. In CI, skipped tests are failures.`);
process.exitCode = tally.failed > 0 || (strict && tally.skipped > 0) || tally.passed === 0 ? 1 : 0;
console.log(`${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped`);

async function runTests(filters, options) {
  const vitest = await startVitest('test', filters, { ...options, watch: false, run: true });
  const tally = count(vitest.state);
  if (filters.length === 0) tellSlowest(vitest.state.getTestModules());
  await vitest.close();
  return tally;
}

/** What a faster suite begins with. Files run beside each other, so these are seconds on the clock, not of a processor. */
function tellSlowest(modules) {
  const slowest = modules
    .map((module) => ({ file: module.relativeModuleId, seconds: module.diagnostic().duration / 1000 }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, 10);
  console.log('The ten slowest files, in seconds:');
  for (const { file, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(7)}  ${file}`);
}

/** A file that cannot be loaded and an error outside any test count as one failed test each. */
function count(state) {
  const tally = { passed: 0, failed: state.getUnhandledErrors().length, skipped: 0 };
  for (const module of state.getTestModules()) {
    tally.failed += module.errors().length;
    for (const test of module.children.allTests()) tally[outcome(test)] += 1;
    for (const suite of module.children.allSuites()) tally.failed += suite.errors().length;
  }
  return tally;
}

/** A test that never came to its end (`pending`) did not pass. */
function outcome(test) {
  const { state } = test.result();
  return state === 'pending' ? 'failed' : state;
}
