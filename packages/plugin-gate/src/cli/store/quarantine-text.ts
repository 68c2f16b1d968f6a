import type { QuarantinedEntry } from '../../store/postgres/index.js';

/** As JSON, in the words of the configuration and the API. */
export function quarantinedJson({ ref, kind, proposalId, replica, n, reason, foundAt, state }: QuarantinedEntry) {
  return { ref, state, kind, proposal_id: proposalId, replica, n, reason, found_at: foundAt };
}

/** Three lines per entry. */
export function quarantineLines(entries: readonly QuarantinedEntry[]): string {
  if (entries.length === 0) return 'The quarantine is empty.\n';
  return entries
    .map(
      ({ ref, kind, proposalId, replica, n, reason, foundAt, state }) =>
        `${ref}  ${state}\n  ${kind ?? 'entry'}${proposalId === null ? '' : ` on proposal ${proposalId}`}, number ${n} of replica ${replica}\n` +
        `  ${foundAt === null ? '' : `${foundAt}: `}${reason}\n`,
    )
    .join('\n');
}
