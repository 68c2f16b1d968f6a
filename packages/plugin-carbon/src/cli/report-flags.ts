import { Flags } from '@oclif/core';

const several = { multiple: true, multipleNonGreedy: true } as const;

/** What a report is asked beyond an estimate. They load nothing else. */
export const reportFlags = {
  format: Flags.option({
    char: 'f',
    description: 'Format of the report.',
    options: ['text', 'json', 'csv', 'html', 'impact-framework'] as const,
    default: 'text' as const,
  })(),
  output: Flags.string({ char: 'o', description: 'Write the report to this file instead of standard output.', helpValue: 'FILE' }),
  estimate: Flags.string({
    description:
      'File with the output of carbon estimate --json, or with an estimate request, instead of inputs. If given several times, pass one --period for each.',
    helpValue: 'FILE',
    ...several,
  }),
  period: Flags.string({
    description: 'Period of the report: 2026-01-01/2026-02-01. The end is exclusive.',
    helpValue: 'START/END',
    ...several,
  }),
  'group-by': Flags.string({
    description:
      'Dimensions to group by, with a table for each: service, region, account, namespace, source, provider, instance_type, kind, tag:NAME.',
    helpValue: 'NAME,NAME',
    delimiter: ',',
    ...several,
  }),
  baseline: Flags.string({
    description: 'File to compare with: the output of carbon estimate --json, or an estimate request.',
    helpValue: 'FILE',
  }),
  target: Flags.string({
    description: 'Target: at most this many kg CO2e (500), or this reduction from the baseline (20%).',
    helpValue: 'KG|PERCENT',
  }),
  title: Flags.string({ description: 'Title of the report.', helpValue: 'TEXT' }),
};
