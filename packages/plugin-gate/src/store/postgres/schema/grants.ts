import { SCHEMA } from '../database/names.js';

/**
 * What a role needs, as SQL to be run by the owner of the schema once it is there. `service` is what servers run as: it adds to
 * the chain, and can neither change nor delete a record. `operator` can also erase the data of a record; administrators run
 * `evidence erase` and clear the quarantine as it.
 * @param role name of a role that exists
 */
export function grantsFor(role: string, kind: 'service' | 'operator'): string {
  const name = `"${role.replaceAll('"', '""')}"`;
  // First of all nothing: what earlier versions granted, and this one does not, goes.
  const service = [
    'BEGIN;',
    `REVOKE ALL ON ALL TABLES IN SCHEMA ${SCHEMA} FROM ${name};`,
    `GRANT USAGE ON SCHEMA ${SCHEMA} TO ${name};`,
    `GRANT SELECT ON ALL TABLES IN SCHEMA ${SCHEMA} TO ${name};`,
    `GRANT INSERT ON ${tables('evidence', 'head', 'replica', 'proposal_ids', 'outbox', 'result', 'approval', 'approval_event')} TO ${name};`,
    `GRANT UPDATE (seq, hash, time, frontier, key_id) ON ${tables('head')} TO ${name};`,
    `GRANT UPDATE (n, format, seen_at) ON ${tables('replica')} TO ${name};`,
    `GRANT UPDATE (state, grant_expires_at) ON ${tables('approval')} TO ${name};`,
    // A trigger lets a row be numbered once, by its record, and nothing else.
    `GRANT UPDATE (seq, content, content_sig) ON ${tables('outbox')} TO ${name};`,
    // To lock a row takes the right to change it; a trigger refuses the change itself.
    `GRANT UPDATE (oid) ON ${tables('proposal_ids')} TO ${name};`,
    // Nobody who may put a row there may say that it was dealt with.
    `GRANT INSERT (oid, reason) ON ${tables('quarantine')} TO ${name};`,
    `GRANT USAGE ON SEQUENCE ${SCHEMA}.outbox_id_seq TO ${name};`,
  ];
  const operator = [
    `GRANT UPDATE (data, salt) ON ${tables('evidence')} TO ${name};`,
    `GRANT UPDATE (body_digest) ON ${tables('result')} TO ${name};`,
    `GRANT INSERT, UPDATE (resolved_at, resolution) ON ${tables('quarantine')} TO ${name};`,
  ];
  return [...service, ...(kind === 'operator' ? operator : []), 'COMMIT;'].join('\n');
}

function tables(...names: string[]): string {
  return names.map((name) => `${SCHEMA}.${name}`).join(', ');
}
