import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { changeAdapters } from './change-adapters.js';
import { addAdapter } from './edit-adapters.js';

// A process that registers an adapter, and is killed on the way.
//   node adapter-crash-child.test-support.js <configuration> <adapter id>
// SVC_CRASH_AT names the step: adapter-1 to adapter-5.

const [, , config = '', adapterId = ''] = process.argv;
const root = fileURLToPath(new URL('../../..', import.meta.url));
const name = '@bylaw/plugin-gate';
const pjson: object = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));

await changeAdapters(
  { version: '0.0.0', plugins: new Map([[name, { name, root, pjson }]]) },
  { config },
  {
    action: 'adapter.add',
    edit: (text) => addAdapter(text, { adapter_id: adapterId, kind: 'ci' }),
    show: async () => {
      process.stdout.write('the secret\n');
    },
  },
  (step) => {
    if (step === process.env.SVC_CRASH_AT) process.kill(process.pid, 'SIGKILL');
  },
);
