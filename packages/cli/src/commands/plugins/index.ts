import { json } from '@bylaw/core/command/flags';
import { print, printJson, terminal } from '@bylaw/core/command/output';
import { Command } from '@oclif/core';

/** Takes the place of the command of `@oclif/plugin-plugins`, which does not list the bundled plugins. */
export default class Plugins extends Command {
  static override summary = 'List the installed plugins, with their rules and commands.';

  static override examples = ['<%= config.bin %> plugins', '<%= config.bin %> plugins --json'];

  static override flags = { json };

  async run(): Promise<void> {
    const { flags } = await this.parse(Plugins);
    const { listPlugins } = await import('../../plugins/list-plugins.js');
    const plugins = await listPlugins(this.config);
    if (flags.json) return printJson({ plugins });
    const { pluginText } = await import('../../output/plugin-text.js');
    return print(pluginText(plugins, terminal()));
  }
}
