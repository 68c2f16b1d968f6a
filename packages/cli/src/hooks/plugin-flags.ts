import type { Hook, Interfaces } from '@oclif/core';

/**
 * Adds the flags and formats of plugins to the list of commands, for help and completion. The list is made when a package is built; commands that run
 * add them themselves.
 */
const pluginFlags: Hook.Init = async ({ id, argv, config }) => {
  if (isAboutCommands(id, argv)) await addPluginFlags(config).catch(() => undefined); // a plugin that cannot be loaded is named when a command runs
};

function isAboutCommands(id: string | undefined, argv: readonly string[]): boolean {
  return id === 'help' || id?.startsWith('autocomplete') === true || argv.some((word) => word === '--help' || word === '-h');
}

async function addPluginFlags(config: Interfaces.Config): Promise<void> {
  // The hook runs before every command, and few are about commands.
  const { withFormats, withIncreases } = await import('@bylaw/core/command/flags');
  const { installedPlugins } = await import('@bylaw/core/installation');
  const plugins = await installedPlugins(config);
  const examples = plugins.flatMap(({ plugin }) => plugin.compare?.examples ?? []);
  for (const command of config.commands) {
    command.flags = withFormats(command.flags, plugins);
    if (command.id !== 'validate') continue;
    command.flags = withIncreases(command.flags, plugins);
    command.examples = [...(command.examples ?? []), ...examples];
  }
}

export default pluginFlags;
