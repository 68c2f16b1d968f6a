import { openInstallation } from '@bylaw/core/installation';
import { Command, Flags } from '@oclif/core';
import { bundleFolder, config, json } from '../../cli/terminal/input-flags.js';

export default class PolicyTest extends Command {
  static override summary = 'Run the tests of a policy bundle and show what they cover.';

  static override description =
    'Every policy has two outcomes: it matches, or it does not. An outcome is covered if at least one test produces it. Exits with 1 if a test fails or the coverage is too low, and with 3 if the bundle cannot be read.';

  static override examples = ['<%= config.bin %> policy test ./policies', '<%= config.bin %> policy test --min-coverage 100'];

  static override args = { dir: bundleFolder };

  static override flags = {
    'min-coverage': Flags.integer({
      description: 'Minimum share of the outcomes that tests must cover, in percent.',
      helpValue: 'N',
      min: 0,
      max: 100,
    }),
    config,
    json,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PolicyTest);
    const { bundlePath, BundleErrors } = await import('../../cli/open/open-bundle.js');
    const { readBundle } = await import('../../policy/index.js');
    const { coverageOf, runTest } = await import('../../verdict/index.js');
    const { print, printJson } = await import('../../cli/terminal/output.js');
    const { testText } = await import('../../cli/policies/policy-text.js');
    const { bundle, errors } = await readBundle(bundlePath(await openInstallation(this.config, flags), args.dir));
    if (bundle === undefined) throw new BundleErrors(errors);
    const results = await Promise.all(bundle.tests.map((test) => runTest(test, bundle)));
    const coverage = await coverageOf(bundle);
    if (flags.json)
      await printJson({ tests: results.map(({ test: { name, location }, problems }) => ({ name, location, problems })), coverage });
    else await print(testText(results, coverage));
    const failed = results.some(({ problems }) => problems.length > 0);
    if (failed || coverage.percent < (flags['min-coverage'] ?? 0)) process.exitCode = 1;
  }
}
