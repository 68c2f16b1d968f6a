import { describe, expect, it } from 'vitest';
import { APPEND_STEPS } from './append.js';
import { crashSite, killUnderLoad, seeded } from './crash.test-support.js';

const inCi = Boolean(process.env.CI) && process.env.CI !== 'false';

describe('a process that is killed while it writes', () => {
  it.each([...APPEND_STEPS, 'answer'])('at the step "%s" leaves all of its batch or nothing, and loses no answer', async (step) => {
    const site = await crashSite();
    for (const times of [1, 3]) {
      expect((await site.start('step', `${step}:${times}`).ended()).signal).toBe('SIGKILL');
      site.look();
      // Genesis, and batches of two decisions with their approvals, a grant and a result.
      expect((site.records() - 1) % 8).toBe(0);
    }
    await site.lookAtAll();
  });

  it(`leaves the chain whole, every answer true and no id twice, ${inCi ? 200 : 50} times`, async () => {
    const site = await killUnderLoad(inCi ? 200 : 50, seeded(20260102));
    expect(site.acknowledged()).toBeGreaterThan(100);
  }, 600_000);
});
