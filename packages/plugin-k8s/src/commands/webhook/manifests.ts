import { config, json, output, rules } from '@bylaw/core/command/flags';
import { openInstallation } from '@bylaw/core/installation';
import { Command, Flags } from '@oclif/core';

export default class WebhookManifests extends Command {
  static override summary = 'Print the manifests that a cluster needs for the admission webhook.';

  static override description =
    `Prints a Deployment of the server with everything that it needs, and a ValidatingWebhookConfiguration for the resources that the rules check. There is no published image: build one that contains Node.js 24 and the package bylaw, with bylaw as its entry point.

The certificate comes from cert-manager. With --ca-bundle, you provide it: create a Secret bylaw-webhook-tls of type kubernetes.io/tls first.`;

  static override examples = [
    {
      description: 'Start with warnings only',
      command: '<%= config.bin %> webhook manifests --image registry.example.com/bylaw:0.1.0 --mode warn | kubectl apply -f -',
    },
    {
      description: 'Deny requests, even if no webhook answers',
      command: '<%= config.bin %> webhook manifests --image registry.example.com/bylaw:0.1.0 --fail-closed --replicas 3',
    },
  ];

  static override flags = {
    image: Flags.string({ description: 'Image of the server, preferably with its digest.', helpValue: 'IMAGE', required: true }),
    namespace: Flags.string({ char: 'n', description: 'Namespace of the server.', helpValue: 'NAME', default: 'bylaw-system' }),
    'create-namespace': Flags.boolean({
      description: 'Also print the namespace, with a network policy that denies all traffic that no other policy allows.',
      default: true,
      allowNo: true,
    }),
    replicas: Flags.integer({ description: 'Number of Pods.', min: 1, max: 100, default: 2 }),
    mode: Flags.option({ options: ['enforce', 'warn', 'audit'] as const })({
      description: 'How findings affect requests.',
      helpValue: 'enforce|warn|audit',
      default: 'enforce',
    }),
    'deny-on': Flags.option({ options: ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO', 'NONE'] as const })({
      description: 'The lowest severity that denies a request.',
      helpValue: 'SEVERITY',
      default: 'HIGH',
    }),
    'fail-closed': Flags.boolean({ description: 'Deny requests that cannot be checked because no webhook answers.' }),
    'ca-bundle': Flags.string({
      description:
        'PEM file of the certificate authorities that issued the certificate of the webhook. Without this flag, cert-manager issues one.',
      helpValue: 'FILE',
    }),
    'namespace-labels': Flags.boolean({
      description:
        'Let the label bylaw.dev/mode of a namespace set its mode: warn or audit. Users who can set this label can then weaken the mode.',
    }),
    secrets: Flags.boolean({ description: 'Also send Secrets to the webhook.' }),
    rules,
    output,
    config,
    json,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhookManifests);
    const installation = await openInstallation(this.config, flags);
    const { webhookManifestsCommand } = await import('../../cli/webhook-manifests-command.js');
    await webhookManifestsCommand(flags, installation);
  }
}
