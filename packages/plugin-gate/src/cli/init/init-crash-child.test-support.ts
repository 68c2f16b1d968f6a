import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { initGate } from './init-gate.js';

// A process that makes a gate, and is killed on the way.
//   node init-crash-child.test-support.js <folder>
// SVC_CRASH_AT names the step: init-1 to init-5.

const [, , folder = ''] = process.argv;
const root = fileURLToPath(new URL('../../..', import.meta.url));
const name = '@bylaw/plugin-gate';
const pjson: object = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));

await initGate(
  { version: '0.0.0', plugins: new Map([[name, { name, root, pjson }]]) },
  { folder, adapter: 'ci-main', kind: 'ci', approver: 'carol' },
  async () => void process.stdout.write('the secret\n'),
  (step) => {
    if (step === process.env.SVC_CRASH_AT) process.kill(process.pid, 'SIGKILL');
  },
);
