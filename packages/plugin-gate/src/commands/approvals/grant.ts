import { Command } from '@oclif/core';
import { approvalId, deciding } from '../../cli/deciding-flags.js';

export default class ApprovalsGrant extends Command {
  static override summary = 'Approve a proposal that waits for it.';

  static override description =
    'The grant holds for a while, for this proposal under these policies, and once. Where several approvers are asked, the last of them completes it.';

  static override examples = ['<%= config.bin %> approvals grant apr_01JD8Z3V7K9Q2M4N6P8R0T2W4Y --as carol --key carol.key'];

  static override args = { id: approvalId };

  static override flags = deciding;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ApprovalsGrant);
    const { decideAndTell } = await import('../../cli/decide-approval.js');
    await decideAndTell(this.config, 'grant', args.id, flags);
  }
}
