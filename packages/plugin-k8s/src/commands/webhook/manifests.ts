import { config, json, output, rules } from '@bylaw/core/command/flags';
import { openInstallation } from '@bylaw/core/installation';
import { Command, Flags } from '@oclif/core';

export default class WebhookManifests extends Command {
  static override summary = 'Print what a cluster needs to ask the admission webhook.';

  static override description =
    `A Deployment of the server with all around it, and the ValidatingWebhookConfiguration that names the resources which the rules look at. There is no published image: build one that holds Node.js 24 and the package bylaw, with bylaw as its entry point.

The certificate comes from cert-manager. With --ca-bundle it is yours: make a Secret bylaw-webhook-tls of type kubernetes.io/tls before.`;

  static override examples = [
    {
      description: 'Warn only, to begin with',
      command: '<%= config.bin %> webhook manifests --image registry.example.com/bylaw:0.1.0 --mode warn | kubectl apply -f -',
    },
    {
      description: 'Deny, also when no webhook answers',
      command: '<%= config.bin %> webhook manifests --image registry.example.com/bylaw:0.1.0 --fail-closed --replicas 3',
    },
  ];

  static override flags = {
    image: Flags.string({ description: 'The image, best with its digest.', helpValue: 'IMAGE', required: true }),
    namespace: Flags.string({ char: 'n', description: 'Where it runs.', helpValue: 'NAME', default: 'bylaw-system' }),
    'create-namespace': Flags.boolean({
      description: 'Print the namespace as well, with a policy that denies all traffic that no other allows.',
      default: true,
      allowNo: true,
    }),
    replicas: Flags.integer({ description: 'Number of Pods.', min: 1, max: 100, default: 2 }),
    mode: Flags.option({ options: ['enforce', 'warn', 'audit'] as const })({
      description: 'What findings do.',
      helpValue: 'enforce|warn|audit',
      default: 'enforce',
    }),
    'deny-on': Flags.option({ options: ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO', 'NONE'] as const })({
      description: 'The least severity that denies.',
      helpValue: 'SEVERITY',
      default: 'HIGH',
    }),
    'fail-closed': Flags.boolean({ description: 'Deny what cannot be judged because no webhook answers.' }),
    'ca-bundle': Flags.string({
      description: 'File of the authorities (PEM) that issued the certificate of the webhook; otherwise cert-manager issues one.',
      helpValue: 'FILE',
    }),
    'namespace-labels': Flags.boolean({
      description: 'Let the label bylaw.dev/mode of a namespace choose its mode: warn or audit. Whoever may label it can then weaken it.',
    }),
    secrets: Flags.boolean({ description: 'Send Secrets to the webhook, too.' }),
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
