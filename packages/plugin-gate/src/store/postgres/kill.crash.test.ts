import { afterAll, describe, expect, it } from 'vitest';
import { killReplicas } from './testing/kill.test-support.js';
import { absent, runningServer, server } from './testing/store.test-support.js';

const ROUNDS = 20;
const KILLS = 125;

afterAll(() => ('absent' in server ? undefined : server.stop()));

describe.skipIf(absent)('replicas that are killed again and again', () => {
  it.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))(`leave a whole chain after ${KILLS} kills (round %i)`, async (seed) => {
    const survived = await killReplicas(await runningServer().createDatabase(), { kills: KILLS, seed });
    console.log(survived);
    expect(survived.errors).toEqual([]);
    expect(survived.kills).toBe(KILLS);
  });
});
