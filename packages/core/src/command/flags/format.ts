import { Flags } from '@oclif/core';
import { FORMATS } from '../../report/format-names.js';

/** Without the formats of plugins, which `withFormats` adds. */
export const format = Flags.string({ char: 'f', description: 'Format of the report.', options: [...FORMATS], default: 'text' });

export const output = Flags.string({
  char: 'o',
  description: 'Write the report to this file instead of standard output.',
  helpValue: 'FILE',
});
