import { config, json, remote } from '@bylaw/core/command/flags';
import { print, printJson, terminal } from '@bylaw/core/command/output';
import { openInstallation, pluginSettings } from '@bylaw/core/installation';
import { Command } from '@oclif/core';

export default class ConfigCheck extends Command {
  static override summary = 'Check the configuration, and show every setting with its origin.';

  static override description =
    'Checks the configuration file, the settings of the rule packs and the custom rules, and shows whether the environment variables that the file names are set. Exits with 3 if anything is invalid.';

  static override examples = ['<%= config.bin %> config check', '<%= config.bin %> config check --config ./ci/bylaw.yaml --json'];

  static override flags = { config, remote, json };

  async run(): Promise<void> {
    const { flags } = await this.parse(ConfigCheck);
    const installation = await openInstallation(this.config, flags);
    const { loaded } = installation;
    const { rules } = await installation.catalogue();
    const { effectiveConfig } = await import('@bylaw/core/config');
    const settings = [...effectiveConfig(loaded), ...pluginSettings(installation)];
    const file = loaded.file?.path ?? null;
    if (flags.json) return printJson({ file, rules: rules.length, settings });
    const { settingsText } = await import('../../output/settings-text.js');
    await print(settingsText(settings, file, rules.length, terminal()));
  }
}
