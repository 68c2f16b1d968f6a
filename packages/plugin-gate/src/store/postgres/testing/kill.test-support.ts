import type { StoredRecord } from '../../../evidence/index.js';
import { chainErrors, decidedIds } from './chain-check.test-support.js';
import { type Replica, startReplica } from './replicas.test-support.js';
import { allRecords, openStore, SIGNER } from './store.test-support.js';
import { until } from './until.test-support.js';

export interface Survived {
  kills: number;
  /** Acknowledged decisions. */
  acknowledged: number;
  records: number;
  /** What is wrong with the chain, or missing from it. */
  errors: string[];
}

/**
 * Runs replicas that accept and number, and kills one after another with SIGKILL, at an instant that the seed gives, while the
 * others go on; each that was killed is started again. Then lets one number what is left, and compares the chain with what was
 * acknowledged.
 */
export async function killReplicas(
  dsn: string,
  { kills, seed, replicas = 4 }: { kills: number; seed: number; replicas?: number },
): Promise<Survived> {
  await (await openStore(dsn)).close();
  const chance = chanceFrom(seed);
  const acknowledged = new Map<string, { ref: string; seq: [number, number] }>();
  const twice: string[] = [];
  let left = kills;
  let done = 0;
  const collect = (replica: Replica) => {
    for (const [id, answer] of replica.acknowledged) {
      if (acknowledged.has(id)) twice.push(`${id}: acknowledged twice`);
      acknowledged.set(id, answer);
    }
  };
  const live = async (place: number) => {
    while (left > 0) {
      left -= 1;
      const replica = startReplica(dsn, `r${place}`);
      try {
        await replica.says('ack');
        await new Promise((resolve) => setTimeout(resolve, chance() * 300));
      } finally {
        replica.process.kill('SIGKILL');
        await replica.ended;
      }
      collect(replica);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: replicas }, (_, place) => live(place)));
  const records = await recordsWhenAllAreNumbered(dsn);
  return {
    kills: done,
    acknowledged: acknowledged.size,
    records: records.length,
    errors: [...twice, ...chainErrors(records, SIGNER.publicKey), ...missing(acknowledged, records)],
  };
}

/**
 * Runs a replica for each step, all at once, that kills itself when it comes to its step for the third time. The last ones
 * continue with what the others have left.
 */
export async function killAtSteps(dsn: string, steps: readonly string[]): Promise<Survived & { signals: (string | null)[] }> {
  await (await openStore(dsn)).close();
  const replicas = steps.map((step) => startReplica(dsn, `victim-${step}`, { crashAt: `${step}:3` }));
  const signals = await Promise.all(replicas.map(({ ended }) => ended));
  const acknowledged = new Map(replicas.flatMap((replica) => [...replica.acknowledged]));
  const records = await recordsWhenAllAreNumbered(dsn);
  return {
    signals,
    kills: steps.length,
    acknowledged: acknowledged.size,
    records: records.length,
    errors: [...chainErrors(records, SIGNER.publicKey), ...missing(acknowledged, records)],
  };
}

async function recordsWhenAllAreNumbered(dsn: string): Promise<StoredRecord[]> {
  const store = await openStore(dsn, { replica: 'last' });
  try {
    await until(async () => (await store.status()).pending === 0);
    return await allRecords(store);
  } finally {
    await store.close();
  }
}

/** Acknowledged ids that the chain does not have, or has under another number than was answered. */
function missing(acknowledged: ReadonlyMap<string, { seq: [number, number] }>, records: readonly StoredRecord[]): string[] {
  const there = new Set(decidedIds(records));
  return [...acknowledged].flatMap(([id, { seq }]) => {
    if (!there.has(id)) return [`${id}: acknowledged, and not there`];
    const [, verdict] = seq;
    if (verdict === 0) return [];
    return JSON.parse(records[verdict]?.data ?? '{}').proposal_id === id
      ? []
      : [`${id}: answered with the number ${verdict} of another record`];
  });
}

/** mulberry32: a small generator whose numbers a failure can be made again from. */
function chanceFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
