import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sharedProcess } from '@bylaw/core/testing/shared-process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseAllDocuments } from 'yaml';

const RUN = fileURLToPath(new URL('../../../cli/bin/run.js', import.meta.url));

function folder(files: { readonly [name: string]: string } = {}): string {
  const made = mkdtempSync(join(tmpdir(), 'bylaw-vap-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(made, name), content);
  return made;
}

const runShared = sharedProcess(new URL('../../../cli/lib/main.js', import.meta.url));

const exportVap = (cwd: string, ...args: string[]) =>
  runShared(['export', 'vap', ...args], { cwd, env: { ...process.env, SVC_API_URL: '' } });

describe('bylaw export vap', () => {
  it('writes policies and bindings as they were', async () => {
    const cwd = folder();
    const rules = ['CS-001', 'CS-050', 'SC-003', 'SC-040', 'SP-012', 'SP-024'];
    const args = [RUN, 'export', 'vap', '--rule', rules.join(), '--output', 'policies/'];
    expect(await promisify(execFile)(process.execPath, args, { cwd })).toEqual({ stdout: '', stderr: '' });
    expect(readdirSync(join(cwd, 'policies')).sort()).toEqual(rules.map((id) => `bylaw-${id.toLowerCase()}.yaml`).sort());
    for (const file of readdirSync(join(cwd, 'policies')))
      await expect(readFileSync(join(cwd, 'policies', file), 'utf8')).toMatchFileSnapshot(`./testing/policies/${file}`);
  });

  it('prints one stream of objects, each policy before its binding', async () => {
    const { stdout, code } = await exportVap(folder(), '--rule', 'CS-003,CS-001');
    const kinds = parseAllDocuments(stdout).map((document) => `${document.get('kind')} ${document.getIn(['metadata', 'name'])}`);
    expect(kinds).toEqual([
      'ValidatingAdmissionPolicy bylaw-cs-001',
      'ValidatingAdmissionPolicyBinding bylaw-cs-001',
      'ValidatingAdmissionPolicy bylaw-cs-003',
      'ValidatingAdmissionPolicyBinding bylaw-cs-003',
    ]);
    expect(code).toBe(0);
  });

  it('tells on standard error which rules have no policy, and in JSON with what reason', async () => {
    const text = await exportVap(folder(), '--rule', 'CS-001,CS-093,SP-043');
    expect(text.stderr).toContain('No policy for 1 of 3 rules:\n  CS-093 checks several resources');
    expect(text.stderr).toContain('SP-043, for helm.toolkit.fluxcd.io/HelmRelease');
    const { stdout, stderr } = await exportVap(folder(), '--rule', 'CS-001,CS-093', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ policies: [{ rule: 'CS-001', omitted: [] }], skipped: [{ rule: 'CS-093', reason: 'set' }] });
    expect(stderr).toBe('');
  });

  it('fails where nothing is left to write, and with --strict where anything is missing', async () => {
    const none = await exportVap(folder(), '--rule', 'CS-093');
    expect(none).toMatchObject({ code: 2, stdout: '' });
    expect(none.stderr).toContain('None of the selected rules can be exported as a policy.\n  CS-093 checks several resources');
    const cwd = folder();
    expect(await exportVap(cwd, '--rule', 'CS-001,CS-093', '--strict', '--output', 'all.yaml')).toMatchObject({ code: 2, stdout: '' });
    expect(existsSync(join(cwd, 'all.yaml'))).toBe(false);
    expect(await exportVap(cwd, '--rule', 'CS-001', '--strict')).toMatchObject({ code: 0 });
  });

  it('takes settings and thresholds from the configuration, and all else from the command line', async () => {
    const config = 'packs: { k8s: { allowed_registries: [registry.example.com] } }\nwebhook: { deny_on: CRITICAL, warn_on: LOW }\n';
    const args = ['--rule', 'SC-008,CS-001', '--failure-policy', 'Ignore', '--namespace-selector', 'team in (a,b)', '--json'];
    const { stdout } = await exportVap(folder({ 'bylaw.yaml': config }), ...args);
    const [cs, sc] = JSON.parse(stdout).policies;
    expect(sc.policy.spec.variables.at(-1).expression).toContain(String.raw`matches(r'^(registry\.example\.com)(/|$)')`);
    expect(sc.policy.spec.failurePolicy).toBe('Ignore');
    expect([cs.binding.spec.validationActions, sc.binding.spec.validationActions]).toEqual([['Deny'], ['Warn', 'Audit']]);
    expect(cs.binding.spec.matchResources).toEqual({
      namespaceSelector: { matchExpressions: [{ key: 'team', operator: 'In', values: ['a', 'b'] }] },
    });
  });

  it('exports rules of your own, and says what of them it cannot', async () => {
    const rules = folder({
      'ORG-001.yaml': `id: ORG-001
severity: LOW
title: Deployments name their team
description: Someone must answer.
targets: [Deployment]
expression: text(object.?metadata.?labels.?team) != ""
message: '"no team on " + show(object.?metadata.?name)'
fix: Set the label team.
examples:
  - fail: { apiVersion: apps/v1, kind: Deployment, metadata: { name: web } }
  - pass: { apiVersion: apps/v1, kind: Deployment, metadata: { name: web, labels: { team: shop } } }
`,
      'ORG-002.yaml': `id: ORG-002
severity: LOW
title: Values are sorted
description: For the eye.
targets: [ConfigMap]
expression: keys(object.?data).sort() == keys(object.?data)
fix: Sort them.
examples:
  - fail: { apiVersion: v1, kind: ConfigMap, metadata: { name: c }, data: { b: "1", a: "2" } }
  - pass: { apiVersion: v1, kind: ConfigMap, metadata: { name: c }, data: { a: "1" } }
`,
    });
    const { stdout, code } = await exportVap(folder(), '--rules', rules, '--category', 'ORG', '--json');
    const { policies, skipped } = JSON.parse(stdout);
    expect(policies[0].policy.spec.variables).toEqual([
      {
        name: 'violations',
        expression: 'object.?metadata.?labels.?team.orValue("") == "" ? "no team on " + object.?metadata.?name.orValue("absent") : ""',
      },
    ]);
    expect(skipped).toEqual([{ rule: 'ORG-002', reason: 'function', message: expect.stringContaining('sort()') }]);
    expect(code).toBe(0);
  });

  it.each([
    [['--namespace-selector', 'a b c'], 'The namespace selector is invalid'],
    [['--rule', 'CS-001', '--output', 'missing/all.yaml'], 'its folder does not exist'],
    [['--rule', 'CS-001', '--output', 'missing/all/'], 'its parent folder does not exist'],
  ])('refuses %j', async (args, message) => {
    const { code, stdout, stderr } = await exportVap(folder(), ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});
