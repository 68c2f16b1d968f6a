import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { systemClock } from '@bylaw/core/clock';
import { sharedProcess } from '@bylaw/core/testing/shared-process';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { newKeyPem } from '../../keys/index.js';
import { openStore } from '../../store/index.js';
import { decisionUnit } from '../../store/testing/units.test-support.js';

const RUN = fileURLToPath(new URL('../../../../cli/bin/run.js', import.meta.url));

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bylaw-doctor-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'bylaw.yaml'), 'store: {path: gate/store.sqlite}\n');
});

describe('bylaw store doctor', () => {
  it('prints what it has looked at, and that all is well', async () => {
    await someDecisions();
    const { stdout } = await promisify(execFile)(process.execPath, [RUN, 'store', 'doctor'], { cwd: folder });
    expect(stdout).toContain('ok     chain       5 records: numbers, links, hashes and signatures are correct.');
    expect(stdout).toMatch(/All checks passed\.\n$/);
  });

  it('exits with 1 when something is wrong, and says what', async () => {
    await someDecisions();
    chmodSync(join(folder, 'gate', 'store.sqlite'), 0o644);
    const { code, stdout } = await doctor('--fast', '--json');
    const { ok, checks } = JSON.parse(stdout);
    expect(ok).toBe(false);
    expect(checks.filter((check: { ok: boolean }) => !check.ok)).toMatchObject([
      { name: 'files', message: expect.stringContaining('has mode 644') },
    ]);
    expect(code).toBe(1);
  });

  it('exits with 4 when there is no store, or the file is none', async () => {
    expect(await doctor('--json')).toMatchObject({ code: 4, stderr: expect.stringContaining('AG-EVD-002') });
    writeFileSync(join(folder, 'bylaw.yaml'), 'store: {path: bylaw.yaml}\n');
    expect(await doctor('--json')).toMatchObject({ code: 4, stderr: expect.stringContaining('AG-EVD-004') });
  });
});

async function someDecisions(): Promise<void> {
  const store = await openStore({
    config: {
      store: { kind: 'sqlite', path: 'gate/store.sqlite' },
      signing: { key_env: 'KEY' },
      evidence: { checkpoint_dir: 'checkpoints', checkpoint_seconds: 60 },
    },
    base: folder,
    env: { KEY: newKeyPem() },
    clock: systemClock,
    role: 'command',
  });
  await store.decide(decisionUnit('p-1'));
  await store.decide(decisionUnit('p-2'));
  await store.close();
}

const runShared = sharedProcess(new URL('../../../../cli/lib/main.js', import.meta.url));

function doctor(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const { PATH, HOME } = process.env;
  return runShared(['store', 'doctor', ...args], { cwd: folder, env: { PATH, HOME } });
}
