import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readApproverList } from './approver-list.js';

const KEY = 'GbIWTPWN-dgZ71GpxWNL4GZX_XwY8xlvsfvhz-w_hlk';
const carol = { id: 'carol', public_key: KEY, groups: ['sre'] };

function file(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'bylaw-approvers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'approvers.yaml');
  writeFileSync(path, text);
  return path;
}

it('reads a list, and a configuration with what it says of unsigned decisions', async () => {
  expect(await readApproverList(file(`- {id: carol, public_key: ${KEY}, groups: [sre]}\n`))).toEqual({
    approvers: [carol],
    allowUnsigned: false,
  });
  const config = { approvers: [{ ...carol, principals: ['c@x'] }], approvals: { allow_unsigned: true }, store: {} };
  expect(await readApproverList(file(JSON.stringify(config)))).toEqual({ approvers: config.approvers, allowUnsigned: true });
});

it.each([
  ['no YAML', 'a: [', /not valid YAML or JSON/],
  ['no list', 'policy: {}', /must contain a list of approvers/],
  ['an entry without a key', '- {id: carol, groups: []}', /must contain a list/],
  ['a key with another text', JSON.stringify([{ ...carol, public_key: `${KEY.slice(0, -1)}l` }]), /must contain a list/],
  ['names that are no texts', JSON.stringify([{ ...carol, principals: [1] }]), /must contain a list/],
  ['too much', `# ${'x'.repeat(1024 * 1024)}`, /too large/],
])('refuses %s', async (_, text, message) => {
  await expect(readApproverList(file(text))).rejects.toThrow(message);
});
