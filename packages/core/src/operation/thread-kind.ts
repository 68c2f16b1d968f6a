import type { ThreadPoolOptions } from '../thread/index.js';
import type { ProgramSetup } from './run-context.js';
import type { ThreadProblemWords } from './thread-problem.js';

/** Requests that share threads, and what holds for these threads. */
export interface ThreadKind {
  limits: Partial<Omit<ThreadPoolOptions, 'program' | 'setup'>>;
  /** What clients are told when there is no room for them. */
  words?: ThreadProblemWords;
}

/** What a thread is started with. */
export interface ThreadSetup {
  program: ProgramSetup | undefined;
  /** Modules that it loads before the first request, in addition to the catalogue; absent: each request loads what it needs. */
  preload?: readonly string[] | undefined;
}

/** Requests for rules and scores. Their threads hold the catalogue. */
export const EVALUATIONS: ThreadKind = {
  limits: {},
  words: { busy: 'Too many evaluations wait. Try again.', memory: 'Send less at a time, or a lower `limit`.' },
};
