import { afterAll, describe, expect, it } from 'vitest';
import { SEQUENCER_STEPS } from './sequence/sequence.js';
import { killAtSteps, killReplicas } from './testing/kill.test-support.js';
import { absent, runningServer, server } from './testing/store.test-support.js';

/** `npm run test:crash` has 2,500. */
const KILLS = 24;

afterAll(() => ('absent' in server ? undefined : server.stop()));

describe.skipIf(absent)('a replica that is killed', () => {
  it('at each named step leaves a whole chain with all that it acknowledged', { timeout: 120_000 }, async () => {
    const steps = [...SEQUENCER_STEPS, 'before-accept', 'accepted'];
    const { signals, errors, acknowledged, records } = await killAtSteps(await runningServer().createDatabase(), steps);
    expect(errors).toEqual([]);
    expect(signals).toEqual(steps.map(() => 'SIGKILL'));
    expect(records).toBeGreaterThan(acknowledged * 2);
  });

  it(`at any instant, ${KILLS} times over four replicas, leaves a whole chain with all that was acknowledged (gate/service.9)`, {
    timeout: 300_000,
  }, async () => {
    const survived = await killReplicas(await runningServer().createDatabase(), { kills: KILLS, seed: 3 });
    expect(survived.errors).toEqual([]);
    expect(survived.kills).toBe(KILLS);
    expect(survived.acknowledged).toBeGreaterThan(KILLS);
  });
});
