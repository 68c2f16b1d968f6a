import { randomBytes } from 'node:crypto';
import { readFileSync, writeSync } from 'node:fs';
import { systemClock } from '@bylaw/core/clock';
import { signerFromPem } from '../../keys/index.js';
import { approvalUnit, decisionUnit, resultUnit } from '../testing/units.test-support.js';
import { openSqliteStore } from './sqlite-store.js';
import { openChain } from './writes/chain.js';
import { decisionTexts } from './writes/unit.js';

// A process that writes to a store until it is killed. It prints each id after the store has answered for it.
//   node crash-child.test-support.js <store> <key file> <prefix of ids> server|command|step
// `step` dies by itself: SVC_CRASH_AT=<step>:<n> at the n-th time that the step is reached.

/** Exit code after what a store calls fatal. */
const FATAL = 70;

const [, , path = '', keyFile = '', prefix = '', role] = process.argv;
const pem = readFileSync(keyFile, 'utf8');
const signer = signerFromPem(pem);

if (role === 'step') stepByStep();
else await withoutEnd(role === 'server' ? 'server' : 'command');

async function withoutEnd(kind: 'server' | 'command'): Promise<void> {
  const key = { pem, signer };
  const onFatal = (error: Error) => {
    writeSync(2, `fatal: ${error.message}\n`);
    process.exit(FATAL);
  };
  const common = { clock: systemClock, random: randomBytes, dev: false, reportedBy: 'system', onFatal };
  const store = await openSqliteStore({ path, role: kind, key, ...common });
  let next = 0;
  const client = async () => {
    for (;;) {
      const id = `${prefix}-${next++}`;
      const decision = next % 5 === 0 ? 'REQUIRE_APPROVAL' : 'ALLOW';
      const recorded = await store.decide(decisionUnit(id, { decision, time: systemClock.now().toISOString() }));
      if (recorded === undefined) throw new Error(`The id ${id} was used before.`);
      acknowledge(id, recorded.seq[1]);
      if (next % 7 === 0) await store.report(resultUnit(id, { status: 'skipped' }));
      // The other process gets its turn.
      if (kind === 'command') await new Promise(setImmediate);
    }
  };
  await Promise.all(Array.from({ length: kind === 'server' ? 32 : 1 }, client));
}

function stepByStep(): void {
  const [step, times] = (process.env.SVC_CRASH_AT ?? '').split(':');
  let left = Number(times);
  const reached = (name: string) => {
    if (name === step && --left === 0) process.kill(process.pid, 'SIGKILL');
  };
  const chain = openChain({ path, signer, salt: () => randomBytes(16), onStep: reached });
  for (let round = 0; round < 20; round++) {
    const ids = [`${prefix}-${round}-a`, `${prefix}-${round}-b`];
    const units = ids.map((id) => decisionTexts(decisionUnit(id, { decision: 'REQUIRE_APPROVAL' })));
    const answers = chain.append([...units, approvalUnit(`apr_${ids[0]}`), resultUnit(ids[0] ?? '')]);
    for (const [index, id] of ids.entries()) {
      const answer = answers[index];
      if (answer === undefined || 'failure' in answer || answer.outcome === undefined || 'kind' in answer.outcome)
        throw new Error(`The store has not recorded ${id}.`);
      reached('answer');
      acknowledge(id, answer.outcome.seq[1]);
    }
  }
}

/** Written at once: what the pipe has, a kill does not take back. While the reader is busy the pipe may be full. */
function acknowledge(id: string, seq: number): void {
  for (let rest = Buffer.from(`${id} ${seq}\n`); rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
