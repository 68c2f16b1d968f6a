import { Flags } from '@oclif/core';

const several = { multiple: true, multipleNonGreedy: true } as const;

/** What a report is asked beyond an estimate. They load nothing else. */
export const reportFlags = {
  format: Flags.option({
    char: 'f',
    description: 'Form of the report.',
    options: ['text', 'json', 'csv', 'html', 'impact-framework'] as const,
    default: 'text' as const,
  })(),
  output: Flags.string({ char: 'o', description: 'Write the report to this file instead of standard output.', helpValue: 'FILE' }),
  estimate: Flags.string({
    description: 'Saved answer of carbon estimate --json, or a request of one, in place of inputs; several with a --period each.',
    helpValue: 'FILE',
    ...several,
  }),
  period: Flags.string({
    description: 'Days that it is about: 2026-01-01/2026-02-01; the last is not part of it.',
    helpValue: 'START/END',
    ...several,
  }),
  'group-by': Flags.string({
    description: 'A table for each: service, region, account, namespace, source, provider, instance_type, kind, tag:NAME.',
    helpValue: 'NAME,NAME',
    delimiter: ',',
    ...several,
  }),
  baseline: Flags.string({
    description: 'Saved answer of carbon estimate --json, or a request of one, to compare with.',
    helpValue: 'FILE',
  }),
  target: Flags.string({ description: 'At most so many kg CO2e, or so much less than the baseline: 500, 20%.', helpValue: 'KG|PERCENT' }),
  title: Flags.string({ description: 'Title of the report.', helpValue: 'TEXT' }),
};
