import { config, rules } from '@bylaw/core/command/flags';
import { openInstallation } from '@bylaw/core/installation';
import { servicesOf } from '@bylaw/core/services';
import { Command, Flags } from '@oclif/core';

export default class Serve extends Command {
  static override summary = 'Start the REST server.';

  static override description =
    `Answers /api/v1 and the routes of the installed plugins; GET /openapi.json describes them. The log goes to standard error, as JSON lines.

SIGTERM and SIGINT end it in order: it stops accepting, finishes what it has accepted, and exits with 0. At SIGHUP the plugins load their files again, such as the policy bundle of the gate.`;

  static override examples = [
    { description: 'On this machine only', command: '<%= config.bin %> serve' },
    {
      description: 'For others, with keys in bylaw.yaml',
      command: '<%= config.bin %> serve --host 0.0.0.0 --port 8443 --tls-cert tls.crt --tls-key tls.key',
    },
    { description: 'The gate alone', command: '<%= config.bin %> serve --only gate' },
  ];

  static override flags = {
    host: Flags.string({ description: 'Address to listen on; otherwise SVC_HOST or api.host. [default: 127.0.0.1]', helpValue: 'HOST' }),
    port: Flags.integer({
      char: 'p',
      description: 'Port to listen on, 0 for any free one; otherwise SVC_PORT or api.port. [default: 8000]',
      min: 0,
      max: 65_535,
    }),
    dev: Flags.boolean({
      description: 'For trying things out on this machine: a detailed log, and the gate asks for no signatures and marks its records.',
    }),
    only: Flags.string({ description: 'Only the routes of this plugin, such as gate, the probes and /openapi.json.', helpValue: 'PLUGIN' }),
    'accept-rollback': Flags.boolean({ description: 'Go on with a store that is older than its newest checkpoint; the chain says so.' }),
    'tls-cert': Flags.string({
      description: 'Certificate in PEM form; read again when it changes.',
      helpValue: 'FILE',
      dependsOn: ['tls-key'],
    }),
    'tls-key': Flags.string({ description: 'Its private key.', helpValue: 'FILE', dependsOn: ['tls-cert'] }),
    'allow-unauthenticated': Flags.boolean({ description: 'Listen beyond this machine although no API key is configured.' }),
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
