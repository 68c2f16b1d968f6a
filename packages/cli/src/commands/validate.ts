import { config, json, judging, remote, rendering, rules } from '@bylaw/core/command/flags';
import { print, printJson, terminal } from '@bylaw/core/command/output';
import { openInstallation } from '@bylaw/core/installation';
import { Args, Command } from '@oclif/core';
import { openDoors } from '../doors/open.js';

export default class Validate extends Command {
  static override summary = 'Compare a proposed configuration with the current one.';

  static override description =
    `Tells which findings the change introduces and which it resolves, wherever in the files they stand, and what it does to the score.

Exits with 0, with 1 when the verdict is regressed, and with 2 when something could not be read.`;

  static override examples = [
    { description: 'Before a merge', command: '<%= config.bin %> validate main/deploy branch/deploy' },
    { description: 'Only what is grave', command: '<%= config.bin %> validate old.yaml new.yaml --severity CRITICAL,HIGH' },
  ];

  static override args = {
    current: Args.string({ name: 'CURRENT', description: 'File, folder or pattern of the current configuration.', required: true }),
    proposed: Args.string({ name: 'PROPOSED', description: 'The same of the proposed one.', required: true }),
  };

  static override flags = { ...judging, ...rendering, rules, config, remote, json };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Validate);
    const installation = await openInstallation(this.config, flags);
    const doors = await openDoors(installation, flags);
    const { inputsAt, judgingOf, renderingOf } = await import('@bylaw/core/command/judging');
    const how = await renderingOf(flags, installation);
    const comparison = await doors.validate({
      ...(await judgingOf(flags, installation.loaded)),
      current: await inputsAt([args.current], how),
      proposed: await inputsAt([args.proposed], how),
    });
    if (flags.json) await printJson(comparison);
    else {
      const { comparisonText } = await import('../output/comparison-text.js');
      await print(comparisonText(comparison, terminal()));
    }
    process.exitCode = comparison.errors.length > 0 ? 2 : comparison.verdict === 'regressed' ? 1 : 0;
  }
}
