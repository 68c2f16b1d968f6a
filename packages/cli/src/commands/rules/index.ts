import { config, json, remote, rules, selection } from '@bylaw/core/command/flags';
import { print, printJson, terminal } from '@bylaw/core/command/output';
import { openInstallation } from '@bylaw/core/installation';
import { Command, Flags } from '@oclif/core';
import { openDoors } from '../../open-doors.js';

export default class Rules extends Command {
  static override summary = 'List the installed rules, or show one rule in full.';

  static override examples = [
    {
      description: 'Rules about secrets with severity HIGH or CRITICAL',
      command: '<%= config.bin %> rules --category SP --severity HIGH,CRITICAL',
    },
    { description: 'What one rule checks, and why', command: '<%= config.bin %> rules --id CS-001' },
    {
      description: 'Rules that map to a benchmark and contain a word',
      command: '<%= config.bin %> rules --framework CIS-K8S --search "root"',
    },
  ];

  static override flags = {
    ...selection,
    search: Flags.string({ description: 'Only rules that contain all of these words. Case-insensitive.', helpValue: 'WORDS' }),
    id: Flags.string({
      char: 'i',
      description: 'Show this rule with its logic, settings and examples.',
      helpValue: 'ID',
      exclusive: ['category', 'severity', 'framework', 'search'],
    }),
    rules,
    config,
    remote,
    json,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Rules);
    const doors = await openDoors(await openInstallation(this.config, flags), flags);
    if (flags.id !== undefined) {
      const rule = await doors.getRule(flags.id);
      if (flags.json) return printJson(rule);
      const { ruleText } = await import('../../output/rule-text.js');
      return print(ruleText(rule, terminal()));
    }
    const { category, severity, framework, search } = flags;
    const list = await doors.listRules({
      ...(category && { categories: category }),
      ...(severity && { severities: severity }),
      ...(framework && { frameworks: framework }),
      ...(search !== undefined && { search }),
    });
    if (flags.json) return printJson(list);
    const { ruleTable } = await import('../../output/rule-table.js');
    return print(ruleTable(list, terminal()));
  }
}
