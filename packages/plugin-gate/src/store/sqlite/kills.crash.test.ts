import { expect, it } from 'vitest';
import { killUnderLoad, seeded } from './crash.test-support.js';

/** Of `npm run test:crash`; `SVC_CRASH_KILLS` asks for another number. */
const KILLS = Number(process.env.SVC_CRASH_KILLS ?? 5000);

it(`a store survives ${KILLS} kills of the processes that write it`, async () => {
  const site = await killUnderLoad(KILLS, seeded(20260103));
  expect(site.acknowledged()).toBeGreaterThan(KILLS);
});
