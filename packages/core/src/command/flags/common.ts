import { Flags } from '@oclif/core';
import { FORMATS } from '../../report/format-names.js';
import { PROVIDERS } from '../../workload/place.js';

/** Flags that commands of several packages share, and that need nothing else. */

export const config = Flags.string({
  description:
    'Configuration file. [default: SVC_CONFIG, or the nearest bylaw.yaml in this folder or a parent folder inside the Git repository]',
  helpValue: 'FILE',
});

/** The answer as a page with charts; what the command prints stays as it is. */
export const html = Flags.string({ description: 'Also write a page with charts to this file.', helpValue: 'FILE' });

/** Every command has it. Errors are then one line of JSON on stderr. */
export const json = Flags.boolean({ description: 'Print the result as JSON.' });

export const policyFrom = Flags.string({
  description:
    'Take bylaw.yaml, its exceptions, baseline and rule folders from this branch, tag or commit. Exceptions that the working tree adds do not count.',
  helpValue: 'REF',
});

export const remote = Flags.string({
  description: 'Send the work to the server at this address. The API key is read from SVC_API_KEY. [default: SVC_API_URL]',
  helpValue: 'URL',
});

export const rule = Flags.string({
  char: 'r',
  description: 'Use only these rules, for example CS-001,SP-003.',
  helpValue: 'ID',
  multiple: true,
  multipleNonGreedy: true,
  delimiter: ',',
});

export const rules = Flags.string({
  description: 'Folder of custom rules to use in addition to the installed rules. Can be repeated.',
  helpValue: 'DIR',
  multiple: true,
  multipleNonGreedy: true,
});

/** What was evaluated, for reports that are kept. */
export const subject = {
  commit: Flags.string({ description: 'Commit to show in an HTML report.', helpValue: 'HASH' }),
  date: Flags.string({ description: 'Date or time to show in an HTML report.', helpValue: 'TIME' }),
};

/** Where workloads run. */
export const place = {
  provider: Flags.option({
    description:
      'Provider where the workloads run, for estimates that depend on it. [default for all four flags: `workloads` of bylaw.yaml]',
    options: PROVIDERS,
  })(),
  region: Flags.string({ description: 'Region of the provider, or the country of your own data centre.', helpValue: 'REGION' }),
  'instance-type': Flags.string({
    description: 'Type of the machines that pods run on, unless they request a different one.',
    helpValue: 'TYPE',
  }),
  nodes: Flags.integer({ description: 'Number of machines, for DaemonSets.', helpValue: 'N', min: 1, max: 1_000_000 }),
};

/** Fixing what is found. */
export const fixing = {
  fix: Flags.boolean({ description: 'Apply the safe fixes to the files, then report what remains.' }),
  'fix-unsafe': Flags.boolean({
    description: 'Also apply the fixes that can stop a workload from starting, and list what to test afterwards.',
  }),
  'dry-run': Flags.boolean({
    description: 'With --fix or --fix-unsafe: print the changes as a diff and write nothing.',
    relationships: [{ type: 'some', flags: ['fix', 'fix-unsafe'] }],
  }),
};

/** The graph of a run; what the command prints stays as it is. */
export const graph = Flags.string({
  description:
    'Also write a graph of workloads, Services, routes, policies and what they refer to, with the findings on it. The ending of the file decides on the format: .svg, .json or .mmd (Mermaid).',
  helpValue: 'FILE',
});

/** Without the formats of plugins, which `withFormats` adds. */
export const format = Flags.string({ char: 'f', description: 'Format of the report.', options: [...FORMATS], default: 'text' });

export const output = Flags.string({
  char: 'o',
  description: 'Write the report to this file instead of standard output.',
  helpValue: 'FILE',
});
