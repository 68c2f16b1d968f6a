import { Flags } from '@oclif/core';

/** The formats of the report floor, named here so that the command line can be described without loading them; a test compares the two. */
export const FORMAT_NAMES = ['text', 'json', 'sarif', 'junit', 'markdown', 'html', 'github', 'gitlab'] as const;

export const format = Flags.string({ char: 'f', description: 'Format of the report.', options: [...FORMAT_NAMES], default: 'text' });

export const output = Flags.string({
  char: 'o',
  description: 'Write the report to this file instead of standard output.',
  helpValue: 'FILE',
});
