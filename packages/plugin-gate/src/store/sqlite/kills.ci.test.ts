import { describe, expect, it } from 'vitest';
import { crashSite, killUnderLoad, seeded } from './crash.test-support.js';
import { APPEND_STEPS } from './writes/append.js';

describe('a process that is killed while it writes', () => {
  it.each([...APPEND_STEPS, 'answer'])('at the step "%s" leaves all of its batch or nothing, and loses no answer', async (step) => {
    const site = await crashSite();
    for (const times of [1, 3]) {
      expect((await site.start('step', { crashAt: `${step}:${times}` }).ended()).signal).toBe('SIGKILL');
      site.look();
      // Genesis, and batches of two decisions with their approvals, a grant and a result.
      expect((site.records() - 1) % 8).toBe(0);
    }
    await site.lookAtAll();
  });

  it('leaves the chain whole, every answer true and no id twice, 40 times', async () => {
    const site = await killUnderLoad(40, seeded(20260102));
    expect(site.acknowledged()).toBeGreaterThan(40);
  }, 600_000);
});

describe('a command beside a server under load', () => {
  it('comes to write', async () => {
    const site = await crashSite();
    const server = site.start('server');
    await server.until(100);
    const command = site.start('command');
    await command.until(30);
    await Promise.all([command.kill(), server.kill()]);
    site.look();
  });
});

describe('a disk that gives an error', () => {
  it('ends the process, which never tries again, and leaves what was answered', async () => {
    const site = await crashSite();
    const ended = await site.start('server', { fileBytes: 400_000 }).ended();
    expect(ended.stderr).toMatch(/^fatal: The disk of the store reported an error \(\d+\)\.$/m);
    expect(ended.code).toBe(70);
    expect(site.acknowledged()).toBeGreaterThan(0);
    site.look();
    const next = site.start('server');
    await next.until(1);
    await next.kill();
    site.look();
    await site.lookAtAll();
  });
});
