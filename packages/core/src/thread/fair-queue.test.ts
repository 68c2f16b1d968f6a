import { describe, expect, it } from 'vitest';
import { type Claim, FairQueue, PoolBusyError, type Turn } from './fair-queue.js';

const queue = (threads: number, maxWaiting = 100, maxWaitMs = 60_000) => new FairQueue({ threads, maxWaiting, maxWaitMs });
const small = (client: string): Claim => ({ client, size: 'small' });
const large = (client: string): Claim => ({ client, size: 'large' });

/** Enters, and says in `order` when each turn begins. */
function recorder(queue: FairQueue) {
  const order: string[] = [];
  const turns = new Map<string, Turn>();
  const enter = async (name: string, claim: Claim, signal?: AbortSignal) => {
    const turn = await queue.enter(claim, signal);
    order.push(name);
    turns.set(name, turn);
  };
  const leave = async (name: string) => {
    turns.get(name)?.leave();
    await settled();
  };
  return { order, enter, leave, turns };
}

/** What was resolved has gone on. */
const settled = () => new Promise(setImmediate);

describe('the threads', () => {
  it('are given in turn to clients, the one that holds the fewest first', async () => {
    const two = queue(2);
    const { order, enter, leave } = recorder(two);
    for (const name of ['a1', 'a2', 'a3', 'a4']) void enter(name, small('a'));
    void enter('b1', small('b'));
    void enter('c1', small('c'));
    await settled();
    expect(order).toEqual(['a1', 'a2']);
    await leave('a1');
    await leave('b1');
    await leave('c1');
    expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
  });

  it('are not all given to large work, however little there is to do', async () => {
    const { order, enter, leave } = recorder(queue(3));
    void enter('a', large('a'));
    void enter('b', large('b'));
    void enter('c', large('c'));
    await settled();
    expect(order).toEqual(['a', 'b']);
    void enter('s', small('a'));
    await settled();
    expect(order).toEqual(['a', 'b', 's']);
    await leave('a');
    expect(order).toEqual(['a', 'b', 's', 'c']);
  });

  it.each([
    [1, 1],
    [2, 1],
    [3, 2],
    [8, 4],
  ])('of %i are held by large work of one client at most %i at a time', async (threads, most) => {
    const { order, enter, leave } = recorder(queue(threads));
    for (let index = 0; index < 9; index++) void enter(`a${index}`, large('a'));
    await settled();
    expect(order).toHaveLength(most);
    await leave('a0');
    expect(order).toHaveLength(most + 1);
  });

  it('go to another client before the one that came first and has its share', async () => {
    const { order, enter, leave } = recorder(queue(4));
    for (const name of ['a1', 'a2', 'a3']) void enter(name, large('a'));
    void enter('b1', large('b'));
    void enter('b2', large('b'));
    await settled();
    expect(order).toEqual(['a1', 'a2', 'b1']);
    await leave('a1');
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('go to small work first if there is only one', async () => {
    const { order, enter, leave } = recorder(queue(1));
    void enter('first', large('a'));
    void enter('large', large('b'));
    void enter('small', small('a'));
    await settled();
    await leave('first');
    expect(order).toEqual(['first', 'small']);
  });

  it('count for large work when small work grows, if large work has room', async () => {
    const { order, enter, leave, turns } = recorder(queue(2));
    void enter('s1', small('a'));
    void enter('s2', small('a'));
    await settled();
    expect([turns.get('s1')?.grow(), turns.get('s1')?.grow(), turns.get('s2')?.grow()]).toEqual([true, true, false]);
    void enter('l', large('b'));
    await settled();
    expect(turns.get('s2')?.isWanted()).toBe(false);
    void enter('s3', small('b'));
    await settled();
    expect(turns.get('s2')?.isWanted()).toBe(true);
    await leave('s2');
    expect(order).toEqual(['s1', 's2', 's3']);
    await leave('s1');
    expect(order).toEqual(['s1', 's2', 's3', 'l']);
  });

  it('are given back once, however often that is said', async () => {
    const one = queue(1);
    const turn = await one.enter(small('a'));
    turn.leave();
    turn.leave();
    const { order, enter } = recorder(one);
    void enter('a', small('a'));
    void enter('b', small('b'));
    await settled();
    expect(order).toEqual(['a']);
  });
});

describe('the queue', () => {
  it('has room for as many of each size, and half of it for one client', async () => {
    const one = queue(1, 3);
    await one.enter(small('x'));
    for (const claim of [small('a'), small('a'), small('b'), large('a'), large('a'), large('b')])
      void one.enter(claim).catch(() => undefined);
    for (const claim of [small('c'), large('c')]) await expect(one.enter(claim)).rejects.toThrow(PoolBusyError);
    const other = queue(1, 3);
    await other.enter(small('x'));
    for (const claim of [small('a'), small('a')]) void other.enter(claim).catch(() => undefined);
    await expect(other.enter(small('a'))).rejects.toThrow(PoolBusyError);
    void other.enter(small('b'));
    await expect(other.enter(small('c'))).rejects.toThrow(PoolBusyError);
  });

  it('is left by what nobody waits for, what has waited for too long, and all when it closes', async () => {
    const one = queue(1, 10, 20);
    await one.enter(small('x'));
    const abort = new AbortController();
    const left = one.enter(small('a'), abort.signal);
    abort.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    await expect(one.enter(small('a'), AbortSignal.abort(new Error('gone before')))).rejects.toThrow('gone before');
    await expect(one.enter(small('a'))).rejects.toThrow('no worker became free in time');
    const last = one.enter(small('a'));
    one.close();
    await expect(last).rejects.toThrow('the server is stopping');
    await expect(one.enter(small('a'))).rejects.toThrow('the server is stopping');
  });
});
