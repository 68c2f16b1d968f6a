import { Args, Command, Flags } from '@oclif/core';
import { deciding } from '../../cli/deciding-flags.js';

export default class ApprovalsGrant extends Command {
  static override summary = 'Approve a proposal that waits for it.';

  static override description =
    'The grant holds for a while, for this proposal under these policies, and once. Where several approvers are asked, the last of them completes it.';

  static override examples = ['<%= config.bin %> approvals grant apr_01JD8Z3V7K9Q2M4N6P8R0T2W4Y --as carol --key carol.key'];

  static override args = { id: Args.string({ name: 'ID', description: 'Id of the approval.', required: true }) };

  static override flags = {
    reason: Flags.string({ description: 'Why, for the record.', helpValue: 'TEXT' }),
    ...deciding,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ApprovalsGrant);
    const [{ decideApproval }, { approvalJson }, { print, printJson }] = await Promise.all([
      import('../../cli/decide-approval.js'),
      import('../../cli/approval-text.js'),
      import('../../cli/output.js'),
    ]);
    const { as, key, config } = flags;
    const { approval, recorded } = await decideApproval(this.config, {
      id: args.id,
      decision: 'grant',
      reason: flags.reason ?? null,
      as,
      key,
      config,
    });
    if (flags.json) await printJson({ ...approvalJson(approval, approval.state), evidence_ref: recorded.ref });
    else await print(`Recorded as evidence ${recorded.ref}. The approval is ${approval.state}.\n`);
  }
}
