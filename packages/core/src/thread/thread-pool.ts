import { type Claim, FairQueue, type Turn } from './fair-queue.js';
import { ProgramError, startThread, type Thread, type ThreadOptions } from './thread.js';

export interface ThreadPoolOptions extends ThreadOptions {
  /** Threads at one time. */
  size: number;
  /** Whether all threads start with the pool, and one that is lost is replaced at once. Otherwise a thread starts when a message needs it. */
  warm: boolean;
  /** Messages that may wait for a thread (of each size, if there are small ones); one more is refused. */
  maxWaiting: number;
  /** Milliseconds that a message waits for a thread; absent: 150 s. */
  maxWaitMs?: number;
  /** Milliseconds that a message has a thread, and with it those that it takes to read an answer in chunks. */
  deadlineMs: number;
  /** Which messages are small, and have a thread when large ones wait; absent: all are alike. See `FairQueue`. */
  small?: SmallMessages | undefined;
  /** Whether a thread works on when nobody waits for its answer any more, until its deadline. Otherwise it is replaced. */
  worksOn?: boolean;
  /** Whether a thread ends after an answer, rather than wait for the next message: after so many, or one to so many bytes. */
  retires?: (answers: number, bytes: number) => boolean;
  /** Told why a thread had to be replaced, or could not be started. */
  onLost?: (error: unknown) => void;
}

export interface SmallMessages {
  /** Bytes in the member `body`, at most. */
  bytes: number;
  /** Milliseconds after which a small message counts as a large one, and goes back to the queue if it keeps others from a thread. */
  ms: number;
}

export const SMALL: SmallMessages = { bytes: 64 * 1024, ms: 2_000 };

export interface AskOptions {
  /** Aborted when nobody waits for the answer any more: the message leaves the queue, or its thread is replaced (see `worksOn`). */
  signal?: AbortSignal | undefined;
  /** Whom the message is from; see `FairQueue` for the share of a client. */
  client?: string | undefined;
  /** Called when a thread begins to work on the message. */
  onStart?: () => void;
}

/** Thrown for a message that has had a thread for as long as it may. Its thread is replaced. */
export class ThreadTimeoutError extends Error {
  override readonly name = 'ThreadTimeoutError';
}

/** A small message takes as long, or answers as much, as a large one, and there is no room for one more of those. */
class NotSmallError extends Error {}

/** Milliseconds until another attempt to start a thread of a warm pool. */
const RESTART_MS = 1_000;

interface Member {
  thread: Thread;
  answers: number;
}

/**
 * Threads that run one program, each with one message at a time. A thread that ends, or is past its deadline, is replaced, and only the message
 * that it had is lost.
 */
export class ThreadPool<Message extends object, Answer> {
  readonly #queue: FairQueue;
  /** Ready. There are never more than turns that nobody has. */
  readonly #idle: Member[] = [];
  readonly #all = new Set<Thread>();
  /** Threads of a warm pool that are not ready. */
  #missing = 0;
  #closed = false;

  /** Resolves when every thread of a warm pool is ready; rejects when one cannot be started, which is tried again. Until then messages wait. */
  readonly started: Promise<unknown>;

  constructor(private readonly options: ThreadPoolOptions) {
    const { size, warm, maxWaiting, maxWaitMs = 150_000 } = options;
    this.#queue = new FairQueue({ threads: size, maxWaiting, maxWaitMs });
    this.started = Promise.all(Array.from({ length: warm ? size : 0 }, () => this.#fillNext()));
    this.started.catch(() => undefined); // told already
  }

  /** Threads of a warm pool that can work, or do. */
  get ready(): number {
    return this.options.size - this.#missing;
  }

  /**
   * The answer of a thread. Chunks of one, as an async iterable, are made as they are taken: whoever gets them takes all, or ends the iteration.
   * @param message the bytes in its member `body`, if it is not small, are handed over and cannot be used after the call
   * @throws {PoolBusyError} when too many messages wait, or this one has waited too long; {ThreadTimeoutError}; {ThreadMemoryError};
   * {ProgramError}; the reason of the signal. Chunks throw all but the first as well
   */
  async ask(message: Message, options: AskOptions = {}): Promise<Answer> {
    const { small } = this.options;
    if (small && bytesOf(message) > small.bytes) return this.#run(message, 'large', options);
    try {
      return await this.#run(message, 'small', options);
    } catch (error) {
      if (!(error instanceof NotSmallError)) throw error;
      return this.#run(message, 'large', options);
    }
  }

  /** Ends all threads; messages that still run or wait fail. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#queue.close();
    const reason = new Error('the server is stopping');
    await Promise.all([...this.#all].map((thread) => thread.end(reason)));
  }

  async #run(message: Message, size: Claim['size'], options: AskOptions): Promise<Answer> {
    const { client, signal } = options;
    const turn = await this.#queue.enter({ client, size }, signal);
    if (!signal || !this.options.worksOn) return this.#work(turn, message, size, options);
    return unlessAborted(signal, this.#work(turn, message, size, { ...options, signal: undefined }));
  }

  /** Has a thread answer. It is replaced when the signal is aborted. */
  async #work(turn: Turn, message: Message, size: Claim['size'], { signal, onStart }: AskOptions): Promise<Answer> {
    const member = this.#idle.pop() ?? this.#start();
    const { thread } = member;
    const bytes = bytesOf(message); // before they are handed over
    const { until, startClock, stopClock } = this.#deadline(size, turn, signal);
    let released = false;
    const release = async (error?: unknown) => {
      if (released) return;
      released = true;
      stopClock();
      if (error === undefined || error instanceof ProgramError) this.#free(member, turn, bytes);
      else await this.#replace(thread, turn, error);
    };
    try {
      await unlessAborted(until, thread.ready);
      startClock();
      onStart?.();
      const reply = await unlessAborted(until, thread.ask(message, size === 'large'));
      if ('value' in reply) {
        await release();
        return reply.value as Answer; // what the program returns
      }
      if (this.options.small && !turn.grow()) throw new NotSmallError();
      until.addEventListener('abort', () => void release(until.reason), { once: true });
      return chunks(reply.chunk, () => unlessAborted(until, thread.more()), release) as Answer; // of a program that sends chunks
    } catch (error) {
      await release(error);
      throw error;
    }
  }

  /** Aborted by the signal, or when a message has had its thread for too long. The clock starts when the thread is ready. */
  #deadline(size: Claim['size'], turn: Turn, signal: AbortSignal | undefined) {
    const { small, deadlineMs } = this.options;
    const over = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    let left = deadlineMs;
    const startLong = () => {
      timer = setTimeout(() => over.abort(new ThreadTimeoutError()), left);
    };
    const startShort = (ms: number) => {
      const wait = Math.min(ms, left);
      timer = setTimeout(() => {
        left -= wait;
        if (turn.grow() || left <= 0) startLong();
        else if (turn.isWanted()) over.abort(new NotSmallError());
        else startShort(ms);
      }, wait);
    };
    return {
      until: signal ? AbortSignal.any([signal, over.signal]) : over.signal,
      startClock: () => (small && size === 'small' ? startShort(small.ms) : startLong()),
      stopClock: () => clearTimeout(timer),
    };
  }

  #free(member: Member, turn: Turn, bytes: number): void {
    member.answers += 1;
    if (this.options.retires?.(member.answers, bytes)) void this.#end(member.thread);
    else this.#idle.push(member);
    turn.leave();
  }

  /** A thread that is busy is ended, and another one is started when it has ended: there are never more than `size`. */
  async #replace(thread: Thread, turn: Turn, error: unknown): Promise<void> {
    if (!this.#closed) this.options.onLost?.(error);
    if (this.options.warm) this.#missing += 1;
    await this.#end(thread);
    if (this.options.warm) this.#fill(turn).catch(() => undefined);
    else turn.leave();
  }

  async #end(thread: Thread): Promise<void> {
    await thread.end();
    this.#all.delete(thread);
  }

  /** One more thread for a warm pool. */
  async #fillNext(): Promise<void> {
    this.#missing += 1;
    await this.#fill(await this.#queue.enter({ client: undefined, size: 'small' }));
  }

  /** Starts a thread, and gives it and the turn free when it is ready. Tries again and again, but tells how the first attempt went. */
  async #fill(turn: Turn): Promise<void> {
    if (this.#closed) return;
    const member = this.#start();
    try {
      await member.thread.ready;
    } catch (error) {
      this.#all.delete(member.thread);
      if (!this.#closed) this.options.onLost?.(error);
      setTimeout(() => void this.#fill(turn).catch(() => undefined), RESTART_MS).unref();
      throw error;
    }
    this.#missing -= 1;
    this.#idle.push(member);
    turn.leave();
  }

  #start(): Member {
    const thread = startThread(this.options);
    const member = { thread, answers: 0 };
    this.#all.add(thread);
    void thread.ended.then((error) => this.#forgetIdle(member, error));
    return member;
  }

  /** A thread that ends while it waits for a message. */
  #forgetIdle(member: Member, error: Error): void {
    const place = this.#idle.indexOf(member);
    if (place < 0 || this.#closed) return;
    this.#idle.splice(place, 1);
    this.#all.delete(member.thread);
    this.options.onLost?.(error);
    if (this.options.warm) this.#fillNext().catch(() => undefined);
  }
}

function bytesOf(message: object): number {
  return 'body' in message && message.body instanceof Uint8Array ? message.body.byteLength : 0;
}

/** @param release called with why the thread has not come to its end, if it has not; the first call counts */
async function* chunks(
  first: Uint8Array,
  next: () => Promise<{ value: unknown } | { chunk: Uint8Array }>,
  release: (error?: unknown) => Promise<void>,
): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield first;
    for (let reply = await next(); 'chunk' in reply; reply = await next()) yield reply.chunk;
    await release();
  } finally {
    void release(new Error('the answer was not taken to its end'));
  }
}

/** What comes of a task, or the reason of the signal, whichever is first. */
async function unlessAborted<T>(signal: AbortSignal, task: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([aborted, task]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
