import { config, json, rule, rules, selection } from '@bylaw/core/command/flags';
import { openInstallation } from '@bylaw/core/installation';
import { Command, Flags } from '@oclif/core';

export default class ExportVap extends Command {
  static override summary = 'Export rules as ValidatingAdmissionPolicies.';

  static override description =
    `The API server then checks objects itself, without a webhook. Each rule becomes a policy and its binding (admissionregistration.k8s.io/v1, Kubernetes 1.30 or later) that contains the settings of bylaw.yaml. Rules that check several objects or files, or that the API server cannot express, have no policy; they are listed on standard error with the reason.

Exits with 2 if none of the selected rules can be exported, or with --strict, if a rule cannot be fully exported.`;

  static override examples = [
    { description: 'All rules, one file for each rule', command: '<%= config.bin %> export vap --output policies/' },
    {
      description: 'Try two categories in a cluster with warnings only',
      command: '<%= config.bin %> export vap --category CS,SC --mode warn | kubectl apply -f -',
    },
    {
      description: 'For the namespaces of one team',
      command: '<%= config.bin %> export vap --severity CRITICAL,HIGH --namespace-selector "team in (shop,pay)"',
    },
  ];

  static override flags = {
    ...selection,
    rule,
    mode: Flags.option({
      options: ['deny', 'warn', 'audit'] as const,
      description: 'What happens to objects that fail. [default: by severity, as set in webhook.deny_on and webhook.warn_on]',
    })(),
    'failure-policy': Flags.option({
      options: ['Fail', 'Ignore'] as const,
      description:
        'Whether to admit an object if an expression cannot be evaluated. [default: Ignore for rules that search long strings, otherwise Fail]',
    })(),
    'namespace-selector': Flags.string({
      description: 'Label selector of the namespaces to check, in the syntax of kubectl. [default: all except kube-system]',
      helpValue: 'SELECTOR',
    }),
    output: Flags.string({
      char: 'o',
      description: 'Write to this file, or one file for each rule into this folder (a path that ends in a slash, or exists).',
      helpValue: 'PATH',
    }),
    strict: Flags.boolean({ description: 'Fail if a selected rule, or a part of one, has no policy.' }),
    rules,
    config,
    json,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(ExportVap);
    const installation = await openInstallation(this.config, flags);
    const { exportVapCommand } = await import('../../cli/export-vap-command.js');
    await exportVapCommand(flags, installation);
  }
}
