import { hash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ADDITIONS, comparisonWith } from './comparisons/answers.js';
import { bylawAlone, folderOf } from './run-cli.js';

const LIMITS = ['--fail-on-cost-increase', '10%', '--fail-on-carbon-increase', '10%'];

describe('what plugins add to a comparison', () => {
  it.each(Object.keys(ADDITIONS))('is shown as recorded, as text, as a page and as a verdict on limits: %s', async (name) => {
    const cwd = folderOf({ 'a.yaml': '', 'b.yaml': '' });
    const url = await serverOf(comparisonWith(ADDITIONS[name] ?? {}));
    const { code, stdout, stderr } = await bylawAlone(['validate', 'a.yaml', 'b.yaml', '--remote', url, '--html', 'page.html', ...LIMITS], {
      cwd,
    });
    await expect(`${stdout}--- standard error\n${stderr}--- exit code ${code}\n`).toMatchFileSnapshot(`comparisons/${name}.txt`);
    await expect(withStyleDigest(readFileSync(join(cwd, 'page.html'), 'utf8'))).toMatchFileSnapshot(`comparisons/${name}.html`);
  });
});

/** The style is the same in all pages: its digest says whether it has changed. */
function withStyleDigest(page: string): string {
  return page.replace(/<style>(.*?)<\/style>/s, (_, style: string) => `<style>${hash('sha256', style)}</style>`);
}

/** A server that answers this to everything. */
async function serverOf(answer: object): Promise<string> {
  const server = createServer((_, response) => response.setHeader('content-type', 'application/json').end(JSON.stringify(answer)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return `http://127.0.0.1:${port}`;
}
