import { config, rules } from '@bylaw/core/command/flags';
import { openInstallation } from '@bylaw/core/installation';
import { servicesOf } from '@bylaw/core/services';
import { Command, Flags } from '@oclif/core';

export default class Serve extends Command {
  static override summary = 'Start the REST server.';

  static override description =
    `Serves /api/v1 and the routes of the installed plugins; GET /openapi.json describes them. The log goes to standard error as JSON lines.

On SIGTERM or SIGINT, the server stops accepting requests, finishes the requests that it has accepted, and exits with 0. On SIGHUP, the plugins reload their files, such as the policy bundle of the gate and its adapters, approvers and modes. Withdrawals do not wait for SIGHUP: the gate stops accepting an adapter, a secret or an approver within a second after it is removed from the configuration file.`;

  static override examples = [
    { description: 'On this machine only', command: '<%= config.bin %> serve' },
    {
      description: 'Open to other machines, with API keys in bylaw.yaml',
      command: '<%= config.bin %> serve --host 0.0.0.0 --port 8443 --tls-cert tls.crt --tls-key tls.key',
    },
    { description: 'Only the gate', command: '<%= config.bin %> serve --only gate' },
  ];

  static override flags = {
    host: Flags.string({
      description: 'Address to listen on. Without this flag: SVC_HOST, then api.host. [default: 127.0.0.1]',
      helpValue: 'HOST',
    }),
    port: Flags.integer({
      char: 'p',
      description: 'Port to listen on, or 0 for any free port. Without this flag: SVC_PORT, then api.port. [default: 8000]',
      min: 0,
      max: 65_535,
    }),
    dev: Flags.boolean({
      description: 'Development on this machine: the log is detailed, and the gate requires no signatures and marks its records.',
    }),
    only: Flags.string({
      description: 'Serve only the routes of this plugin (for example gate), the health probes and /openapi.json.',
      helpValue: 'PLUGIN',
    }),
    'accept-rollback': Flags.boolean({
      description: 'Accept a store that is older than its newest checkpoint. The evidence chain records this.',
    }),
    'tls-cert': Flags.string({
      description: 'TLS certificate in PEM format. Reloaded when the file changes.',
      helpValue: 'FILE',
      dependsOn: ['tls-key'],
    }),
    'tls-key': Flags.string({
      description: 'Private key of the TLS certificate, in PEM format.',
      helpValue: 'FILE',
      dependsOn: ['tls-cert'],
    }),
    'allow-unauthenticated': Flags.boolean({ description: 'Allow connections from other machines even if no API key is configured.' }),
    rules,
    config,
    json: Flags.boolean({ description: 'Print the address as JSON once the server listens.' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Serve);
    const installation = await openInstallation(this.config, flags);
    const { onHangup, startServer, untilSignal } = await import('../server/index.js');
    const { 'tls-cert': cert, 'tls-key': key } = flags;
    const server = await startServer({
      services: await servicesOf(installation, flags.dev ? 'debug' : undefined),
      plugins: installation.plugins,
      version: installation.version,
      allowUnauthenticated: flags['allow-unauthenticated'],
      dev: flags.dev,
      acceptRollback: flags['accept-rollback'],
      ...(flags.only !== undefined && { only: flags.only }),
      ...(cert !== undefined && key !== undefined && { tls: { cert, key } }),
    });
    for (const notice of server.notices) process.stderr.write(`${notice}\n`);
    process.stdout.write(flags.json ? `${JSON.stringify({ url: server.url })}\n` : `bylaw listens on ${server.url}\n`);
    const stopListening = onHangup(server.reload);
    await untilSignal(server.close);
    stopListening();
  }
}
