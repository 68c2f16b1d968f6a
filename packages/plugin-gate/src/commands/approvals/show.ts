import { Command } from '@oclif/core';
import { openGateWithStore } from '../../cli/open/open-gate.js';
import { approvalId, config, dev } from '../../cli/terminal/input-flags.js';

export default class ApprovalsShow extends Command {
  static override summary = 'Show an approval and its proposal as JSON.';

  static override examples = ['<%= config.bin %> approvals show apr_01JD8Z3V7K9Q2M4N6P8R0T2W4Y'];

  static override args = { id: approvalId };

  static override flags = { dev, config };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ApprovalsShow);
    const [{ approvalJson }, { approvalOf }, { readApprovals }, { print }] = await Promise.all([
      import('../../cli/approvals/approval-text.js'),
      import('../../cli/approvals/decide-approval.js'),
      import('../../cli/approvals/read-approvals.js'),
      import('../../cli/terminal/output.js'),
    ]);
    const shown = await readApprovals(await openGateWithStore(this.config, flags), async (store, standing) => {
      const approval = await approvalOf(store, args.id);
      const stored = await store.proposal(approval.proposalId);
      return {
        ...approvalJson(approval, await standing(approval)),
        proposal: stored?.proposal?.proposal ?? null,
        verdict: stored?.verdict?.verdict ?? null,
      };
    });
    await print(`${JSON.stringify(shown, null, 2)}\n`);
  }
}
