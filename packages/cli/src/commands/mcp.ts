import { config, rules } from '@bylaw/core/command/flags';
import { openInstallation } from '@bylaw/core/installation';
import { servicesOf } from '@bylaw/core/services';
import { Command } from '@oclif/core';

export default class Mcp extends Command {
  static override summary = 'Start the tool-call server (Model Context Protocol) on standard input and output.';

  static override description =
    'A client starts this command and gets the tools list_rules, get_rule and evaluate, and those of the installed plugins. Standard output carries only the protocol; the log goes to standard error.';

  static override examples = ['<%= config.bin %> mcp'];

  static override flags = { rules, config };

  async run(): Promise<void> {
    const { flags } = await this.parse(Mcp);
    const installation = await openInstallation(this.config, flags);
    const { startMcp } = await import('../mcp/index.js');
    const { closed } = await startMcp({
      services: await servicesOf(installation),
      plugins: installation.plugins,
      version: installation.version,
    });
    await closed;
  }
}
