import { Args, Flags } from '@oclif/core';

/** What the commands about evidence and keys share. */

export const recordSeq = Args.integer({ name: 'SEQ', description: 'Number of the record.', required: true, min: 0 });

export const reason = Flags.string({ description: 'Reason to record.', helpValue: 'TEXT', required: true });
