import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { systemClock } from '@bylaw/core/clock';
import { signerFromPem } from '../../../keys/index.js';
import type { StoreStep } from '../options.js';
import { openPostgresStore } from '../postgres-store.js';
import { aDecision, aResult } from './units.test-support.js';

// A replica of a server, as a process of its own that a test can kill: accepts decisions as fast as it can, numbers what anyone
// accepts, and says each id that was acknowledged. With SVC_CRASH_AT it kills itself at that step; `step:3` is the third time,
// and `step:stop` stops it there instead, until it is told to go on.

const { SVC_TEST_DSN = '', SVC_TEST_PEM = '', SVC_TEST_REPLICA = '', SVC_TEST_LOAD = '8', SVC_CRASH_AT = '' } = process.env;
const [crashStep, how = '1'] = SVC_CRASH_AT.split(':');
let times = 0;

const store = await openPostgresStore({
  dsn: SVC_TEST_DSN,
  role: 'server',
  key: { pem: SVC_TEST_PEM, signer: signerFromPem(SVC_TEST_PEM) },
  clock: systemClock,
  random: randomBytes,
  dev: false,
  reportedBy: 'system',
  replica: SVC_TEST_REPLICA,
  sequenceWaitMs: 250,
  pollMs: 20,
  onStep: crash,
});
say('ready');
const life = randomBytes(4).toString('hex');
await Promise.all(Array.from({ length: Number(SVC_TEST_LOAD) }, (_, lane) => work(lane)));

/** Ids are common to all replicas in part, so that they meet. */
async function work(lane: number): Promise<void> {
  for (let i = 0; ; i++) {
    const id = i % 5 === 0 ? `common-${lane}-${Math.floor(Date.now() / 20)}` : `${SVC_TEST_REPLICA}-${life}-${lane}-${i}`;
    try {
      const recorded = await store.decide(aDecision(id, { decision: i % 7 === 0 ? 'REQUIRE_APPROVAL' : 'ALLOW' }));
      if (recorded !== undefined) say(`ack ${id} ${recorded.ref} ${recorded.seq.join(' ')}`);
      if (i % 3 === 0) await store.report(aResult(id));
    } catch (error) {
      // A database that is slow for a moment. What is refused at once must not be tried again at once.
      await new Promise((resolve) => setTimeout(resolve, 20));
      say(`error ${error instanceof Error ? error.message : error}`);
      // A store that refuses at once must not keep the process from writing that, and from being told to end.
      await setImmediate();
    }
  }
}

function crash(step: StoreStep): void {
  if (step !== crashStep) return;
  times += 1;
  if (how === 'stop') {
    if (times > 1) return;
    say('stopping');
    process.kill(process.pid, 'SIGSTOP');
  } else if (times === Number(how)) process.kill(process.pid, 'SIGKILL');
}

/** A pipe is written at once on POSIX systems: what was said is heard, even when the process dies right after. */
function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
