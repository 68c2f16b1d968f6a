import { Flags } from '@oclif/core';

/** Every command has it. Errors are then one line of JSON on stderr. */
export const json = Flags.boolean({ description: 'Print the result as JSON.' });
