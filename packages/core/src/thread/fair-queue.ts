/** Who wants a thread, and for how much work. */
export interface Claim {
  /** Whom the work is for; undefined: nobody whose share is limited. */
  client: string | undefined;
  size: 'small' | 'large';
}

/** A thread that was given out. `grow` and `leave` are called by its holder. */
export interface Turn {
  /** Small work that takes longer than it should goes on as large work. @returns false if large work has no room; nothing changes then */
  grow(): boolean;
  /** Whether small work waits for a thread. */
  isWanted(): boolean;
  /** Gives the thread back. */
  leave(): void;
}

export interface FairQueueOptions {
  threads: number;
  /** Claims of each size that may wait; one more is refused. */
  maxWaiting: number;
  /** Milliseconds that a claim waits at most. */
  maxWaitMs: number;
}

/** Thrown when too many wait, for too long, or when nothing is started any more. */
export class PoolBusyError extends Error {
  override readonly name = 'PoolBusyError';
}

interface Waiter {
  claim: Claim;
  start: (turn: Turn) => void;
  refuse: (error: unknown) => void;
}

/**
 * Shares threads among clients. Large work never has the last of several threads, so that small work finds one soon. One client has at most half
 * of the threads for large work and half of the places in the queue, rounded up. A thread that becomes free goes to the client that holds the fewest, and of equal
 * ones to the client whose last turn is longest ago. With a single thread, small work goes first.
 */
export class FairQueue {
  readonly #running = new Set<Claim>();
  /** In the order of arrival. */
  readonly #waiting = new Set<Waiter>();
  /** When each client had its last turn, as a number that grows; only of clients that run or wait. */
  readonly #lastTurns = new Map<string, number>();
  #turns = 0;
  #closed = false;

  constructor(private readonly options: FairQueueOptions) {}

  /**
   * Waits for a thread.
   * @param signal aborted when nobody needs it any more
   * @throws {PoolBusyError} when too many claims wait, or this one has waited too long; the reason of the signal
   */
  async enter(claim: Claim, signal?: AbortSignal): Promise<Turn> {
    signal?.throwIfAborted();
    if (this.#closed) throw new PoolBusyError('the server is stopping');
    const own = { ...claim };
    if (this.#mayStart(own)) return this.#start(own);
    if (!this.#mayWait(own)) throw new PoolBusyError('too many requests wait for a worker');
    return this.#wait(own, signal);
  }

  /** Refuses what waits, and everything from now on. */
  close(): void {
    this.#closed = true;
    for (const { refuse } of [...this.#waiting]) refuse(new PoolBusyError('the server is stopping'));
  }

  #wait(claim: Claim, signal: AbortSignal | undefined): Promise<Turn> {
    return new Promise((resolve, reject) => {
      const settle = (end: () => void) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
        this.#waiting.delete(waiter);
        end();
      };
      const waiter: Waiter = {
        claim,
        start: (turn) => settle(() => resolve(turn)),
        refuse: (error) =>
          settle(() => {
            this.#forget(claim.client);
            reject(error);
          }),
      };
      const leave = () => waiter.refuse(signal?.reason);
      const timer = setTimeout(() => waiter.refuse(new PoolBusyError('no worker became free in time')), this.options.maxWaitMs);
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.add(waiter);
    });
  }

  #start(claim: Claim): Turn {
    this.#running.add(claim);
    if (claim.client !== undefined) this.#lastTurns.set(claim.client, ++this.#turns);
    return {
      grow: () => {
        if (claim.size === 'large') return true;
        if (!this.#hasRoomForLarge(claim.client)) return false;
        claim.size = 'large';
        return true;
      },
      isWanted: () => [...this.#waiting].some(({ claim: { size } }) => size === 'small'),
      leave: () => {
        if (!this.#running.delete(claim)) return;
        this.#forget(claim.client);
        this.#startNext();
      },
    };
  }

  #startNext(): void {
    for (let next = this.#next(); next; next = this.#next()) next.start(this.#start(next.claim));
  }

  #next(): Waiter | undefined {
    let best: Waiter | undefined;
    for (const waiter of this.#waiting)
      if (this.#mayStart(waiter.claim) && (!best || this.#isBefore(waiter.claim, best.claim))) best = waiter;
    return best;
  }

  #isBefore(a: Claim, b: Claim): boolean {
    if (this.options.threads === 1 && a.size !== b.size) return a.size === 'small';
    const held = this.#held(a.client) - this.#held(b.client);
    return held === 0 ? this.#lastTurn(a.client) < this.#lastTurn(b.client) : held < 0;
  }

  #mayStart({ client, size }: Claim): boolean {
    return this.#running.size < this.options.threads && (size === 'small' || this.#hasRoomForLarge(client));
  }

  #hasRoomForLarge(client: string | undefined): boolean {
    const { threads } = this.options;
    const large = [...this.#running].filter(({ size }) => size === 'large');
    return large.length < Math.max(1, threads - 1) && (client === undefined || count(large, client) < half(threads));
  }

  #mayWait({ client, size }: Claim): boolean {
    const { maxWaiting } = this.options;
    const waiting = [...this.#waiting].map(({ claim }) => claim).filter((claim) => claim.size === size);
    return waiting.length < maxWaiting && (client === undefined || count(waiting, client) < half(maxWaiting));
  }

  #held(client: string | undefined): number {
    return client === undefined ? 0 : count([...this.#running], client);
  }

  #lastTurn(client: string | undefined): number {
    return (client !== undefined && this.#lastTurns.get(client)) || 0;
  }

  #forget(client: string | undefined): void {
    if (client === undefined || this.#held(client) > 0) return;
    for (const { claim } of this.#waiting) if (claim.client === client) return;
    this.#lastTurns.delete(client);
  }
}

function count(claims: readonly Claim[], client: string): number {
  return claims.filter((claim) => claim.client === client).length;
}

function half(number: number): number {
  return Math.ceil(number / 2);
}
