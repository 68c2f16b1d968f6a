import { describe, expect, it } from 'vitest';
import { bylaw } from './run-cli.js';

interface Report {
  findings: { rule_id: string; severity: string; message: string }[];
  errors: unknown[];
  undecided?: unknown[];
}

describe('the hardened example', () => {
  it.each([[[]], [['--complete']]])('has no finding of severity MEDIUM or above, and is decided: %j', async (flags) => {
    const { stdout } = await bylaw(['evaluate', 'examples/hardened', '--fail-on', 'none', '--json', ...flags]);
    const { findings, errors, undecided }: Report = JSON.parse(stdout);
    const serious = findings.filter(({ severity }) => ['CRITICAL', 'HIGH', 'MEDIUM'].includes(severity));
    expect(serious.map(({ rule_id, message }) => `${rule_id} ${message}`)).toEqual([]);
    expect(findings.length).toBeGreaterThan(0);
    expect({ errors, undecided }).toEqual({ errors: [], undecided: undefined });
  });
});
