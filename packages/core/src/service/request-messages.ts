import type { CatalogueOrigin } from '../rule/index.js';
import type { Operation, Refusal } from './answer.js';
import type { Comparing } from './comparing.js';
import type { RequestDefaults } from './request.js';

/** What a pool and its threads say to each other. */

/** What a worker loads once. */
export interface WorkerSetup {
  origin: CatalogueOrigin;
  defaults: RequestDefaults;
  /** What plugins add to comparisons. */
  comparing: Comparing;
  /** Modules of what plugins read files with. */
  readers?: readonly string[];
}

export interface RequestMessage {
  operation: Operation;
  body: Uint8Array;
  /** The day of the request, `YYYY-MM-DD` (UTC). */
  today: string;
}

/** A request, or that the last chunk has been taken. */
export type ToRequestWorker = RequestMessage | { more: true };

/** `ready` comes once. A request is answered by one message, or by chunks, each of which is asked for, and `end`. */
export type FromRequestWorker =
  | { ready: true }
  | { body: Uint8Array }
  | { chunk: Uint8Array }
  | { end: true }
  | { tooMuchMemory: true }
  | { failure: string }
  | Refusal;
