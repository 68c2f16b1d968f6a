import { BylawError } from '@bylaw/core/errors';
import { nearest } from '@bylaw/core/nearest';
import type { Hook } from '@oclif/core';

const commandNotFound: Hook.CommandNotFound = async ({ id, config }) => {
  const written = id.replaceAll(':', ' ');
  throw new BylawError('usage', `Unknown command \`${config.bin} ${written}\`.`, { hint: hint(written, config) });
};

export default commandNotFound;

type Config = Parameters<Hook.CommandNotFound>[0]['config'];

/** Commands of the package `@oclif/plugin-plugins`, which is not always installed. */
const INSTALLER_COMMAND = /^plugins (?:add|inspect|install|link|remove|reset|uninstall|unlink|update)\b/;

function hint(written: string, { bin, commands }: Config): string {
  if (INSTALLER_COMMAND.test(written))
    return 'The package `@oclif/plugin-plugins` brings this command, and is not installed. Install it beside `@bylaw/cli`, or install the plugin itself there, both with npm.';
  const known = commands.filter((command) => !command.hidden).map((command) => command.id.replaceAll(':', ' '));
  const near = nearest(written, known) ?? nearest(written.split(' ')[0] ?? '', known);
  return `${near === undefined ? '' : `Did you mean \`${bin} ${near}\`? `}\`${bin} help\` lists all commands.`;
}
