import { Flags } from '@oclif/core';

/** The answer as a page with charts; what the command prints stays as it is. */
export const html = Flags.string({ description: 'Also write a page with charts to this file.', helpValue: 'FILE' });
