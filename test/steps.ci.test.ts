import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { bylaw, folderOf, startBylaw, toolAnswer } from './run-cli.js';

const CHARACTERS = "text(object.metadata.name).split('')";

/** Compiles, passes its examples, and would take years for a name of 50,000 characters. */
const HOSTILE = `id: ZZ-001
severity: LOW
title: No character of the name is a dash three times
description: Keeps a processor busy.
targets: [ConfigMap]
expression: ${CHARACTERS}.all(a, ${CHARACTERS}.all(b, ${CHARACTERS}.all(c, a != '-' || b != '-' || c != '-')))
fix: Take a shorter name.
examples:
  - fail: { apiVersion: v1, kind: ConfigMap, metadata: { name: a-b } }
  - pass: { apiVersion: v1, kind: ConfigMap, metadata: { name: ab } }
`;
const CONFIG_MAP = `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${'a'.repeat(50_000)}, namespace: shop }\ndata: { password: hunter2 }\n`;
const POD =
  'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec:\n  containers: [{ name: app, image: "nginx:1", securityContext: { privileged: true } }]\n';

interface Report {
  findings: { rule_id: string; status: string; message: string }[];
  summary: { errors: number };
}

function expectStopped({ findings, summary }: Report): void {
  const hostile = findings.filter(({ rule_id }) => rule_id === 'ZZ-001');
  expect(hostile).toMatchObject([
    { status: 'error', message: 'The rule could not be evaluated: it takes more than 200,000,000 steps on this input' },
  ]);
  // Of the Pod, and of the ConfigMap itself.
  expect(findings.map(({ rule_id }) => rule_id)).toEqual(expect.arrayContaining(['CS-001', 'SP-010']));
  expect(summary.errors).toBe(1);
}

describe('a custom rule that would not end', () => {
  const files = { 'rules/ZZ-001.yaml': HOSTILE, 'all.yaml': `${CONFIG_MAP}---\n${POD}`, 'pod.yaml': POD };

  it('is an error finding of evaluate, which exits with 2', async () => {
    const { code, stdout, stderr } = await bylaw(['evaluate', 'all.yaml', '--rules', 'rules', '--json'], { cwd: folderOf(files) });
    expect([code, stderr]).toEqual([2, '']);
    expectStopped(JSON.parse(stdout));
  });

  it('is an error of validate, which exits with 2', async () => {
    const { code, stdout } = await bylaw(['validate', 'pod.yaml', 'all.yaml', '--rules', 'rules', '--json'], { cwd: folderOf(files) });
    expect(code).toBe(2);
    const { errors, introduced }: { errors: object[]; introduced: object[] } = JSON.parse(stdout);
    expect(errors).toMatchObject([{ code: 'rule-failed', message: expect.stringContaining('more than 200,000,000 steps') }]);
    expect(introduced).toMatchObject([{ rule_id: 'SP-010' }]);
  });

  it('is the same error finding for the clients of the servers', async () => {
    const cwd = folderOf(files);
    expectStopped((await toolAnswer('evaluate', { content: files['all.yaml'] }, { cwd, env: {} }, ['--rules', 'rules'])) as Report);
    const server = startBylaw(['serve', '--port', '0', '--rules', 'rules', '--json'], { cwd });
    const [line] = await once(server.stdout, 'data');
    const { url } = JSON.parse(String(line)) as { url: string };
    const body = JSON.stringify({ content: files['all.yaml'] });
    const answer = await fetch(`${url}/api/v1/evaluate`, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } });
    expectStopped((await answer.json()) as Report);
  });
});
