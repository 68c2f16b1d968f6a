import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@bylaw/core/config';
import { expect, it, onTestFinished } from 'vitest';
import { approverWarnings, checkGateConfig, GATE_SECTIONS, gateConfigOf } from './index.js';

const keys = ['GbIWTPWN-dgZ71GpxWNL4GZX_XwY8xlvsfvhz-w_hlk', 'A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg'];

async function configWith(...approvers: { id: string; principals?: string[] }[]) {
  const cwd = mkdtempSync(join(tmpdir(), 'bylaw-config-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const entries = approvers.map((one, index) => ({ ...one, public_key: keys[index], groups: ['sre'] }));
  writeFileSync(join(cwd, 'bylaw.yaml'), JSON.stringify({ approvers: entries }));
  return (await loadConfig({ cwd, env: {}, plugins: [{ plugin: 'gate', sections: GATE_SECTIONS }] })).config;
}

it('warns of approvers without other names', async () => {
  const config = gateConfigOf(await configWith({ id: 'carol', principals: ['carol@example.com'] }, { id: 'dave' }));
  expect(approverWarnings(config)).toEqual([expect.stringMatching(/^The approver dave has no `principals`\./)]);
});

it.each([
  [
    [{ id: 'Carol' }, { id: 'carol' }],
    ['approvers', 1, 'id'],
  ],
  [
    [{ id: 'carol' }, { id: 'dave', principals: ['x', 'ＣＡＲＯＬ'] }],
    ['approvers', 1, 'principals', 1],
  ],
  [
    [
      { id: 'carol', principals: ['c@x'] },
      { id: 'dave', principals: ['C@X'] },
    ],
    ['approvers', 1, 'principals', 0],
  ],
])('refuses two approvers who share a name: %j', async (approvers, path) => {
  expect(checkGateConfig(await configWith(...approvers), {})).toMatchObject([{ path, message: expect.stringContaining('share a name') }]);
});

it('accepts an approver who is listed under the own id and several names', async () => {
  const config = await configWith({ id: 'carol', principals: ['carol', 'Carol', 'c@x'] }, { id: 'dave', principals: ['d@x'] });
  expect(checkGateConfig(config, {})).toEqual([]);
});
