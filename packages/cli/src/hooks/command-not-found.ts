import { BylawError } from '@bylaw/core/errors';
import { nearest } from '@bylaw/core/nearest';
import type { Hook } from '@oclif/core';

const commandNotFound: Hook.CommandNotFound = async ({ id, config }) => {
  const written = id.replaceAll(':', ' ');
  const known = config.commands.filter((command) => !command.hidden).map((command) => command.id.replaceAll(':', ' '));
  const near = nearest(written, known) ?? nearest(written.split(' ')[0] ?? '', known);
  throw new BylawError('usage', `Unknown command \`${config.bin} ${written}\`.`, {
    hint: `${near === undefined ? '' : `Did you mean \`${config.bin} ${near}\`? `}\`${config.bin} help\` lists all commands.`,
  });
};

export default commandNotFound;
