import { Command } from '@oclif/core';
import { approvalId, deciding } from '../../cli/terminal/input-flags.js';

export default class ApprovalsReject extends Command {
  static override summary = 'Reject a proposal that is waiting for an approval.';

  static override description = 'One rejection is enough, and it is final. To try again, submit the action as a new proposal.';

  static override examples = ['<%= config.bin %> approvals reject apr_01JD8Z3V7K9Q2M4N6P8R0T2W4Y --as carol --key carol.key'];

  static override args = { id: approvalId };

  static override flags = deciding;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ApprovalsReject);
    const { decideAndTell } = await import('../../cli/approvals/decide-approval.js');
    await decideAndTell(this.config, 'reject', args.id, flags);
  }
}
