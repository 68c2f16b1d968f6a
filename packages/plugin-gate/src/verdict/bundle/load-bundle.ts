import { type Bundle, type BundleError, readBundle } from '../../policy/index.js';
import { runTest } from './run-tests.js';

/**
 * Loads a bundle, a folder or a tar archive: reads, checks, compiles, and runs the tests that it ships. A bundle with an
 * error is not one. Never throws on any content.
 */
export async function loadBundle(path: string): Promise<{ bundle?: Bundle; errors: BundleError[]; warnings: BundleError[] }> {
  const { bundle, errors, warnings } = await readBundle(path);
  if (bundle === undefined) return { errors, warnings };
  const failures: BundleError[] = [];
  for (const test of bundle.tests)
    for (const problem of (await runTest(test, bundle)).problems)
      failures.push({ code: 'AG-POL-001', message: `The test “${test.name}” fails. ${problem}`, location: test.location });
  return failures.length > 0 ? { errors: failures, warnings } : { bundle, errors, warnings };
}
