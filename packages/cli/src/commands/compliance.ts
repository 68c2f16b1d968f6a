import { config, json, remote, rules } from '@bylaw/core/command/flags';
import { print, printJson, terminal } from '@bylaw/core/command/output';
import { openInstallation } from '@bylaw/core/installation';
import { Command, Flags } from '@oclif/core';
import { openDoors } from '../doors/open.js';

export default class Compliance extends Command {
  static override summary = 'Show which rules support which controls of which frameworks.';

  static override examples = [
    { description: 'All frameworks', command: '<%= config.bin %> compliance' },
    { description: 'The controls of one, with their rules', command: '<%= config.bin %> compliance --framework CIS-K8S' },
  ];

  static override flags = {
    framework: Flags.string({ description: 'Only this framework, with or without edition and item.', helpValue: 'NAME' }),
    rules,
    config,
    remote,
    json,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Compliance);
    const doors = await openDoors(await openInstallation(this.config, flags), flags);
    const map = await doors.compliance(flags.framework);
    if (flags.json) return printJson(map);
    const { complianceText } = await import('../output/compliance-text.js');
    await print(complianceText(map, flags.framework !== undefined, terminal()));
  }
}
