import { Command } from '@oclif/core';
import { approvalId, deciding } from '../../cli/terminal/input-flags.js';

export default class ApprovalsGrant extends Command {
  static override summary = 'Approve a proposal that is waiting for an approval.';

  static override description =
    'A grant is valid once, for a limited time, and only for this proposal under the current policies. If several approvers are required, the last one completes the grant.';

  static override examples = ['<%= config.bin %> approvals grant apr_01JD8Z3V7K9Q2M4N6P8R0T2W4Y --as carol --key carol.key'];

  static override args = { id: approvalId };

  static override flags = deciding;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ApprovalsGrant);
    const { decideAndTell } = await import('../../cli/approvals/decide-approval.js');
    await decideAndTell(this.config, 'grant', args.id, flags);
  }
}
