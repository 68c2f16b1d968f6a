import { BylawError } from '@bylaw/core/errors';
import { Command, Flags } from '@oclif/core';
import { connect, connecting } from '../cli/proposals/connect.js';

export default class Run extends Command {
  static override summary = 'Run a command if the gate allows it, and report how it ended.';

  static override description =
    `Proposes the exact words after \`--\`, the working directory, and the executable with its digest. If the gate allows this, bylaw runs the command without a shell on its own standard streams, passes signals to it, and reports its exit code and duration. If an approval is needed, grant it and run the same command again, or use --wait.

Exits with the exit code of the command; 128 + n if signal n ended it. If the command did not run: 10 for a denial, 11 if an approval is needed, 12 if the gate refused the request or did not decide, 13 if the gate cannot be reached, 15 if the command could not be started or its executable changed after the decision. 14: the command ended with 0, but its result was not recorded.`;

  static override examples = [
    '<%= config.bin %> run -- kubectl apply -f deploy.yaml',
    {
      description: 'In production, wait up to ten minutes for the approval',
      command: '<%= config.bin %> run --environment production --wait --timeout 600 -- ./migrate.sh --all',
    },
    {
      description: 'Say what the command does',
      command:
        '<%= config.bin %> run --action kubernetes.deployment.delete --resource k8s://shop/Deployment/web -- kubectl delete deploy web',
    },
  ];

  static override usage = 'run [FLAGS] -- COMMAND…';

  /** What follows `--` is not ours to parse. */
  static override strict = false;

  static override flags = {
    action: Flags.string({ description: 'Type of the action. [default: tool.shell]', helpValue: 'TYPE' }),
    resource: Flags.string({
      description: 'Resource that the action targets. [default: the executable as a file: URL]',
      helpValue: 'RESOURCE',
    }),
    environment: Flags.string({ description: 'Environment of the action. [default: local]', helpValue: 'NAME' }),
    principal: Flags.string({ description: 'On whose authority the command runs. [default: the current system user]', helpValue: 'ID' }),
    agent: Flags.string({ description: 'Software that runs the command. A mandate names it as its delegate.', helpValue: 'ID' }),
    justification: Flags.string({ description: 'Why the command is needed.', helpValue: 'TEXT' }),
    enforcement: Flags.string({
      description: 'Whether the command could run without the gate: no (enforcing) or yes (advisory). [default: advisory]',
      options: ['enforcing', 'advisory'],
    }),
    proposal: Flags.string({
      description: 'File with a proposal or an envelope (JSON) to complete; flags override it.',
      helpValue: 'FILE',
    }),
    budget: Flags.string({ description: 'File with a budget (JSON).', helpValue: 'FILE' }),
    mandate: Flags.string({ description: 'File with a mandate (JSON).', helpValue: 'FILE' }),
    fail: Flags.string({
      description: 'What to do without a decision. After a decision that an approval is needed, only the approval counts.',
      options: ['closed', 'open'],
      default: 'closed',
    }),
    wait: Flags.boolean({ description: 'If an approval is needed, wait until it is granted, rejected, or expired.' }),
    timeout: Flags.integer({
      description: 'With --wait: seconds to wait at most.',
      min: 1,
      max: 31_536_000,
      helpValue: 'SECONDS',
      dependsOn: ['wait'],
    }),
    ...connecting,
  };

  async run(): Promise<void> {
    const start = this.argv.indexOf('--');
    if (start === -1) throw new BylawError('usage', 'There is no -- before the command.', { hint: 'Use: bylaw run -- COMMAND…' });
    const words = this.argv.slice(start + 1);
    const { flags, argv } = await this.parse(Run, this.argv.slice(0, start));
    if (argv.length > 0) throw new BylawError('usage', 'The command must come after --.', { hint: 'Use: bylaw run [FLAGS] -- COMMAND…' });
    const connection = await connect(this.config, flags);
    const { runGated } = await import('../cli/proposals/run-gated.js');
    process.exitCode = await runGated(connection, words, flags);
  }
}
