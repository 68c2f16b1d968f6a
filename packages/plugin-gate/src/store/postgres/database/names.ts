/** Everything is in one schema, and every statement names it: a pooler between may change `search_path`. */
export const SCHEMA = 'bylaw_gate';

/** Advisory locks of the chain and of migrations (two integers each; the first is "bylw"). They count per database. */
export const LOCK_CLASS = 0x62796c77;
export const CHAIN_LOCK = 1;
export const MIGRATION_LOCK = 2;

/** `outbox.seq` of a row that was put into quarantine. It gets no number while it is there. */
export const QUARANTINED = -1;
