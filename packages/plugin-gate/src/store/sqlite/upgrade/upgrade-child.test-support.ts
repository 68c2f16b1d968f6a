import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { signerFromPem } from '../../../keys/index.js';
import { upgradeStore } from './upgrade.js';

// A process that upgrades a store and is killed at a step.
//   node upgrade-child.test-support.js <store> <key file> <step>

const [, , path = '', keyFile = '', step] = process.argv;
upgradeStore({
  path,
  signer: signerFromPem(readFileSync(keyFile, 'utf8')),
  time: new Date().toISOString(),
  dev: false,
  random: randomBytes,
  onStep(reached) {
    if (reached === step) process.kill(process.pid, 'SIGKILL');
  },
});
