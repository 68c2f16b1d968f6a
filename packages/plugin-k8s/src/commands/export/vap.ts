import { config, json, rule, rules, selection } from '@bylaw/core/command/flags';
import { openInstallation } from '@bylaw/core/installation';
import { Command, Flags } from '@oclif/core';

export default class ExportVap extends Command {
  static override summary = 'Turn rules into ValidatingAdmissionPolicies.';

  static override description =
    `The API server then judges by itself, without a webhook. Each rule becomes a policy and its binding (admissionregistration.k8s.io/v1, Kubernetes 1.30 or later), with the settings of bylaw.yaml written into it. Rules that look at several objects, at files or at what the expressions of the API server cannot say have no policy; they are listed on standard error with the reason.

Exits with 2 when no selected rule has a policy, and with --strict when not all of them have a whole one.`;

  static override examples = [
    { description: 'All of them, one file for each rule', command: '<%= config.bin %> export vap --output policies/' },
    {
      description: 'Try two categories in a cluster, and only warn',
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
      description: 'What comes of an object that does not pass. [default: by severity, as webhook.deny_on and webhook.warn_on say]',
    })(),
    'failure-policy': Flags.option({
      options: ['Fail', 'Ignore'] as const,
      description:
        'Whether an object is let through when an expression fails. [default: Ignore for rules that search long texts, else Fail]',
    })(),
    'namespace-selector': Flags.string({
      description: 'Labels of the namespaces that are looked at, as kubectl writes them. [default: all but kube-system]',
      helpValue: 'SELECTOR',
    }),
    output: Flags.string({
      char: 'o',
      description: 'Write to this file, or one file for each rule into this folder (a path that ends in a slash, or exists).',
      helpValue: 'PATH',
    }),
    strict: Flags.boolean({ description: 'Fail when a selected rule, or a part of one, has no policy.' }),
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
