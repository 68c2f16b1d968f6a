import { Args, Command, Flags } from '@oclif/core';
import { connect, connecting } from '../cli/proposals/connect.js';
import { json } from '../cli/terminal/input-flags.js';

export default class Wait extends Command {
  static override summary = 'Wait for the outcome of an approval.';

  static override description =
    'Asks the gate every five seconds until the approval that a proposal needs is granted, rejected, or expired. Exits with 0 if the action may run now, 10 if it may not, 11 if the approval is still pending after --timeout, 12 if the gate refuses the request or does not know the proposal, and 13 if the gate cannot be reached.';

  static override examples = [
    '<%= config.bin %> wait 01JD8Z3V7K9Q2M4N6P8R0T2W4Y',
    '<%= config.bin %> wait 01JD8Z3V7K9Q2M4N6P8R0T2W4Y --timeout 600 && ./deploy.sh',
  ];

  static override args = { id: Args.string({ name: 'ID', description: 'ID of the proposal.', required: true }) };

  static override flags = {
    timeout: Flags.integer({
      description: 'Seconds to wait at most; 0 asks once. [default: until the approval is decided or expires]',
      min: 0,
      max: 31_536_000,
      helpValue: 'SECONDS',
    }),
    ...connecting,
    json,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Wait);
    const connection = await connect(this.config, flags);
    const { waitForApproval } = await import('../cli/proposals/wait-for-approval.js');
    process.exitCode = await waitForApproval(connection, args.id, flags);
  }
}
