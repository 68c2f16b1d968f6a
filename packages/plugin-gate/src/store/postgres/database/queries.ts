import type { ClientBase } from 'pg';

/** What is needed of a pool, or of one connection, to ask the database something. */
export type Queries = Pick<ClientBase, 'query'>;
