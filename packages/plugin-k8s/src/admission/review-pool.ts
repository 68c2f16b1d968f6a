import {
  openReviewThread,
  REVIEW_WORKER,
  type ReviewJob,
  type ReviewSetup,
  type ReviewThread,
  type ThreadAnswer,
} from './review-thread.js';

export interface ReviewPoolOptions {
  setup: ReviewSetup;
  /** Threads. */
  size: number;
  /** Milliseconds after which a thread that still judges one object is ended, and another takes its place. */
  longestRunMs: number;
  /** Told when a thread has ended, or could not be started. */
  onLost: (error: unknown) => void;
  /** The program of a thread. */
  file?: URL;
}

/**
 * What came of a job. `late`: its time is over; `ranMs` is how much of that a thread spent on it. `lost`: the thread that judged it ended.
 * `busy`: too many wait.
 */
export type PoolAnswer = ThreadAnswer | { type: 'late'; ranMs: number } | { type: 'lost' } | { type: 'busy' };

/** Jobs that may wait; an API server sends no more than some hundred writes at a time. */
const MAX_WAITING = 512;

/** Milliseconds until another attempt to start a thread. */
const RESTART_MS = 1000;

interface Entry {
  job: ReviewJob;
  /** Since when a thread works on it. */
  startedAt: number | undefined;
  /** Takes the first answer; all others go nowhere. */
  settle: (answer: PoolAnswer) => void;
}

/**
 * Threads of the webhook alone, so that no other work of the server delays it. Every job is answered in time, whatever becomes of its thread:
 * one that is stuck is ended, and replaced.
 */
export class ReviewPool {
  readonly #all = new Set<ReviewThread>();
  readonly #idle: ReviewThread[] = [];
  readonly #waiting: Entry[] = [];
  #ready = 0;
  #closed = false;

  /** Resolves when every thread is ready; rejects when one cannot be started. Until then jobs wait. */
  readonly started: Promise<unknown>;

  constructor(private readonly options: ReviewPoolOptions) {
    this.started = Promise.all(Array.from({ length: options.size }, () => this.#start()));
    this.started.catch(() => undefined); // told already
  }

  /** Threads that can judge, at work or not. */
  get ready(): number {
    return this.#ready;
  }

  /** Never rejects. @param ms after so many milliseconds the answer is `late` */
  ask(job: ReviewJob, ms: number): Promise<PoolAnswer> {
    if (this.#closed || this.#waiting.length >= MAX_WAITING) return Promise.resolve({ type: 'busy' });
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        const place = this.#waiting.indexOf(entry);
        if (place >= 0) this.#waiting.splice(place, 1);
        resolve({ type: 'late', ranMs: entry.startedAt === undefined ? 0 : performance.now() - entry.startedAt });
      }, ms);
      const settle = (answer: PoolAnswer) => {
        clearTimeout(timer);
        resolve(answer);
      };
      const entry: Entry = { job, startedAt: undefined, settle };
      this.#waiting.push(entry);
      this.#dispatch();
    });
  }

  /** Ends all threads; what still waits or runs is answered `busy` or `lost`. */
  async stop(): Promise<void> {
    this.#closed = true;
    for (const { settle } of this.#waiting.splice(0)) settle({ type: 'busy' });
    await Promise.all([...this.#all].map((thread) => thread.terminate()));
  }

  /** Tries again and again, but tells how the first attempt went. */
  async #start(): Promise<void> {
    if (this.#closed) return;
    try {
      await this.#add();
    } catch (error) {
      if (this.#closed) throw error;
      this.options.onLost(error);
      setTimeout(() => void this.#start().catch(() => undefined), RESTART_MS).unref();
      throw error;
    }
  }

  async #add(): Promise<void> {
    const thread = openReviewThread(this.options.setup, this.options.file ?? REVIEW_WORKER);
    this.#all.add(thread);
    try {
      await thread.ready;
    } catch (error) {
      this.#all.delete(thread);
      throw error;
    }
    this.#ready += 1;
    this.#idle.push(thread);
    this.#dispatch();
  }

  #dispatch(): void {
    while (this.#idle.length > 0 && this.#waiting.length > 0) {
      const thread = this.#idle.pop();
      if (thread?.ended()) this.#replace(thread, new Error('a webhook thread ended while it was waiting'));
      else if (thread) void this.#run(thread, this.#waiting.shift());
    }
  }

  async #run(thread: ReviewThread, entry: Entry | undefined): Promise<void> {
    if (!entry) return;
    entry.startedAt = performance.now();
    const stuck = setTimeout(() => void thread.terminate(), this.options.longestRunMs);
    try {
      entry.settle(await thread.run(entry.job));
      this.#idle.push(thread);
    } catch (error) {
      entry.settle({ type: 'lost' });
      this.#replace(thread, error);
    } finally {
      clearTimeout(stuck);
    }
    this.#dispatch();
  }

  #replace(lost: ReviewThread, error: unknown): void {
    this.#all.delete(lost);
    this.#ready -= 1;
    if (this.#closed) return;
    this.options.onLost(error);
    this.#start().catch(() => undefined);
  }
}
