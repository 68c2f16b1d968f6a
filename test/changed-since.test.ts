import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bylaw, bylawAlone, folderOf } from './run-cli.js';

const RULES = {
  'rules/org-001.yaml': `id: ORG-001
severity: HIGH
title: Pods do not share the host network
description: Why.
targets: [Pod]
expression: object.?spec.?hostNetwork.orValue(false) != true
fix: Remove hostNetwork.
examples:
  - fail: { apiVersion: v1, kind: Pod, spec: { hostNetwork: true, containers: [{ image: a }] } }
  - pass: { apiVersion: v1, kind: Pod, spec: { containers: [{ image: a }] } }
`,
  'rules/org-002.yaml': `id: ORG-002
severity: HIGH
title: The namespace of a Pod is in the repository
description: Why.
targets: [Pod +set]
set: { Namespace: [] }
expression: resources.ofKind("Namespace").exists(n, n.metadata.?name.orValue("") == objectNamespace)
fix: Add the namespace.
examples:
  - fail: { apiVersion: v1, kind: Pod, metadata: { name: a, namespace: gone }, spec: { containers: [{ image: a }] } }
  - pass:
      - { apiVersion: v1, kind: Pod, metadata: { name: a, namespace: shop }, spec: { containers: [{ image: a }] } }
      - { apiVersion: v1, kind: Namespace, metadata: { name: shop } }
`,
};

const pod = (name: string, namespace: string, label = 'a') =>
  `{ apiVersion: v1, kind: Pod, metadata: { name: ${name}, namespace: ${namespace}, labels: { l: ${label} } }, spec: { hostNetwork: true, containers: [{ name: c, image: a }] } }`;
const list = (...pods: string[]) => `apiVersion: v1\nkind: List\nitems:\n${pods.map((one) => `- ${one}\n`).join('')}`;

function git(folder: string, ...args: string[]): void {
  const identity = [
    '-c',
    'user.name=Test',
    '-c',
    'user.email=test@example.com',
    '-c',
    'commit.gpgsign=false',
    '-c',
    'init.defaultBranch=main',
  ];
  execFileSync('git', ['-C', folder, ...identity, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
}

function repository(files: { [path: string]: string }): string {
  const folder = folderOf({ ...RULES, ...files });
  git(folder, 'init', '-q');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', 'first');
  return folder;
}

const FILES = {
  'deploy/namespace.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n',
  'deploy/pods.yaml': list(pod('one', 'shop'), pod('two', 'shop')),
  'deploy/other.yaml': pod('other', 'shop'),
};

async function evaluated(cwd: string, ...more: string[]) {
  const args = ['evaluate', 'deploy', '--rules', 'rules', '--rule', 'ORG-001,ORG-002', '--changed-since', 'main', ...more];
  return bylaw(args, { cwd });
}

describe('bylaw evaluate --changed-since', () => {
  it('reports changed objects only, while rules about the whole set see all of them', async () => {
    const cwd = repository(FILES);
    writeFileSync(join(cwd, 'deploy/pods.yaml'), list(pod('zero', 'gone'), pod('one', 'shop'), pod('two', 'shop', 'b')));
    const { code, stdout } = await evaluated(cwd, '--json');
    const { findings, notes, summary } = JSON.parse(stdout);
    expect(
      findings.map((finding: { rule_id: string; resource: { name: string } }) => `${finding.rule_id} ${finding.resource.name}`),
    ).toEqual(['ORG-001 zero', 'ORG-002 zero', 'ORG-001 two']);
    expect(summary).toMatchObject({ resources: 2, errors: 0 });
    expect(notes).toMatchObject([{ code: 'unchanged', count: 2, first: ['deploy/namespace.yaml', 'deploy/other.yaml'] }]);
    expect(code).toBe(1);
  });

  it('passes where nothing has changed, and says so', async () => {
    const { code, stdout } = await evaluated(repository(FILES));
    expect(stdout).toContain('3 of 3 files have not changed since main (commit ');
    expect(stdout).toMatch(/\n {2}PASS .*nothing .*\n$/);
    expect(code).toBe(0);
  });

  it('is refused together with what it would contradict, and for a commit that is not there', async () => {
    const cwd = repository(FILES);
    for (const more of [['--write-baseline', 'b.json'], ['--remote', 'http://127.0.0.1:1'], ['--fix']]) {
      const { code, stderr } = await evaluated(cwd, ...more);
      expect(stderr).toContain('cannot be used together with');
      expect(code).toBe(2);
    }
    const { code, stderr } = await bylawAlone(['evaluate', 'deploy', '--changed-since', 'nowhere'], { cwd });
    expect(stderr).toContain('Git cannot find the commit "nowhere".');
    expect(code).toBe(2);
  });
});
