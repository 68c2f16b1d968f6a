import { openInstallation } from '@bylaw/core/installation';
import { Command, Flags } from '@oclif/core';
import { bundleFolder, config, json } from '../../cli/input-flags.js';

export default class PolicyTest extends Command {
  static override summary = 'Run the tests of a policy bundle, and show what they cover.';

  static override description =
    'Every policy has two outcomes, it matches or it does not; covered are those that some test brings about. Exits with 1 when a test fails or too little is covered, and with 3 when the bundle cannot be read.';

  static override examples = ['<%= config.bin %> policy test ./policies', '<%= config.bin %> policy test --min-coverage 100'];

  static override args = { dir: bundleFolder };

  static override flags = {
    'min-coverage': Flags.integer({
      description: 'Least part of the outcomes that must be covered, in per cent.',
      helpValue: 'N',
      min: 0,
      max: 100,
    }),
    config,
    json,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PolicyTest);
    const { bundlePath, BundleErrors } = await import('../../cli/open-bundle.js');
    const { readBundle } = await import('../../policy/index.js');
    const { coverageOf, runTest } = await import('../../verdict/index.js');
    const { print, printJson } = await import('../../cli/output.js');
    const { testText } = await import('../../cli/policy-text.js');
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
