import type { GateConfig } from './gate-config.js';

/** Approvers whose proposals cannot be told from those of others, one sentence each. They are legal, and likely not meant. */
export function approverWarnings({ approvers }: Pick<GateConfig, 'approvers'>): string[] {
  return approvers.flatMap(({ id, principals = [] }) =>
    principals.length > 0
      ? []
      : [
          `The approver ${id} has no \`principals\`. Under any other name, such as an email address, ${id} could approve their own proposals. List those names, or repeat the id.`,
        ],
  );
}
