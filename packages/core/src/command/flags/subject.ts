import { Flags } from '@oclif/core';

/** What was evaluated, for reports that are kept. */
export const subject = {
  commit: Flags.string({ description: 'Commit to show in an HTML report.', helpValue: 'HASH' }),
  date: Flags.string({ description: 'Date or time to show in an HTML report.', helpValue: 'TIME' }),
};
