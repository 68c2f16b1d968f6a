import { openInstallation } from '@bylaw/core/installation';
import { plural } from '@bylaw/core/plural';
import { Command } from '@oclif/core';
import { bundleFolder, config, json } from '../../cli/terminal/input-flags.js';

export default class PolicyLint extends Command {
  static override summary =
    'Check a policy bundle, and the approvers of the configuration: schema, conditions, tests, and likely mistakes.';

  static override description =
    'Exits with 3 if the bundle has errors, so that no server would load it, and with 1 if it loads but has warnings.';

  static override examples = ['<%= config.bin %> policy lint', '<%= config.bin %> policy lint ./policies --json'];

  static override args = { dir: bundleFolder };

  static override flags = { config, json };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PolicyLint);
    const { bundlePath, lineOf } = await import('../../cli/open/open-bundle.js');
    const { loadBundle } = await import('../../verdict/index.js');
    const { print, printJson } = await import('../../cli/terminal/output.js');
    const { approverWarnings, gateConfigOf } = await import('../../config/index.js');
    const installation = await openInstallation(this.config, flags);
    const { bundle, errors, warnings: ofBundle } = await loadBundle(bundlePath(installation, args.dir));
    const ofApprovers = approverWarnings(gateConfigOf(installation.loaded.config));
    const warnings = [...ofBundle, ...ofApprovers.map((message) => ({ code: 'AG-APR-003', message }))];
    const counts = bundle && { id: bundle.id, version: bundle.version, policies: bundle.policies.length, tests: bundle.tests.length };
    if (flags.json) await printJson({ bundle: counts ?? null, errors, warnings });
    else {
      const lines = [...errors.map((error) => `error: ${lineOf(error)}\n`), ...warnings.map((warning) => `warning: ${lineOf(warning)}\n`)];
      const all =
        counts &&
        `${counts.id} ${counts.version}: ${plural(counts.policies, 'policy', 'policies')}, ${plural(counts.tests, 'test')}, ${plural(warnings.length, 'warning')}\n`;
      await print(lines.join('') + (all ?? ''));
    }
    if (errors.length > 0) process.exitCode = 3;
    else if (warnings.length > 0) process.exitCode = 1;
  }
}
