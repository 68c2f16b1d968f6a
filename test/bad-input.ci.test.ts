import { randomBytes } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bylaw, bylawAlone, folderOf } from './run-cli.js';

/** A good file beside each bad input: it must still be evaluated. */
const GOOD =
  'apiVersion: v1\nkind: Pod\nmetadata: { name: good }\nspec:\n  containers: [{ name: app, image: "nginx:1", securityContext: { privileged: true } }]\n';

const NESTED = 100_000;

interface ErrorRow {
  code: string;
  message: string;
  location: { file: string; line: number; column: number } | null;
}

/** Evaluates the good file and the others, and says what came of the others. */
async function evaluateBeside(files: { readonly [path: string]: string | Uint8Array }, paths = Object.keys(files)) {
  const cwd = folderOf({ 'good.yaml': GOOD, ...files });
  const { code, stdout, stderr } = await bylaw(['evaluate', 'good.yaml', ...paths, '--json', '--fail-on', 'none'], { cwd });
  const report: { errors: ErrorRow[]; findings: { rule_id: string; resource: { name: string } }[] } = JSON.parse(stdout);
  expect(report.findings.filter(({ resource }) => resource.name === 'good').map((finding) => finding.rule_id)).toContain('CS-001');
  expect(stderr).toBe('');
  return { code, ...report };
}

describe('evaluate', () => {
  it.each<[string, { [path: string]: string | Uint8Array }, string[] | undefined, Partial<ErrorRow>, string]>([
    ['a path that does not exist', {}, ['missing.yaml'], { code: 'path-not-found' }, 'Check the spelling'],
    ['a folder without manifests', { 'empty/notes.txt': 'x' }, ['empty'], { code: 'no-manifests' }, 'contains no .yaml'],
    ['a pattern that matches nothing', {}, ['none/*.yaml'], { code: 'no-manifests' }, ''],
    ['binary junk', { 'bad.yaml': randomBytes(5000) }, undefined, { code: 'binary-content' }, 'binary data'],
    ['an alias bomb', { 'bad.yaml': aliasBomb() }, undefined, { code: 'too-many-nodes' }, 'Aliases'],
    [
      'deep nesting in YAML',
      { 'bad.yaml': '['.repeat(NESTED) + ']'.repeat(NESTED) },
      undefined,
      { code: 'document-too-deep' },
      '100 levels',
    ],
    [
      'deep nesting in JSON',
      { 'bad.json': `${'{"a":'.repeat(NESTED)}1${'}'.repeat(NESTED)}` },
      undefined,
      { code: 'document-too-deep' },
      '100 levels',
    ],
    [
      'a key given twice',
      { 'bad.yaml': 'kind: Pod\nspec:\n  a: 1\n  a: 2\n' },
      undefined,
      { code: 'duplicate-key' },
      'line 3 and again on line 4',
    ],
    ['tabs', { 'bad.yaml': 'kind: Pod\nspec:\n\ta: 1\n' }, undefined, { code: 'yaml-syntax' }, 'tab'],
    [
      'a Helm template',
      { 'bad.yaml': 'kind: Pod\nname: {{ .Values.x }}\n{{- end }}\n' },
      undefined,
      { code: 'template-not-rendered' },
      'helm template',
    ],
    ['a document that is no Kubernetes object', { 'bad.yaml': 'hello: world\n' }, undefined, { code: 'not-a-resource' }, 'no apiVersion'],
    ['broken JSON', { 'bad.json': '{"apiVersion": "v1" "kind": "Pod"}' }, undefined, { code: 'json-syntax' }, 'comma'],
  ])('names %s, and evaluates everything else', async (_what, files, paths, expected, message) => {
    const { code, errors } = await evaluateBeside(files, paths);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject(expected);
    expect(errors[0]?.message).toContain(message);
    expect(errors[0]?.location).toMatchObject({ file: expect.stringMatching(/\w/), line: expect.any(Number) });
    expect(code).toBe(2);
  });

  it('reports each field of the wrong type once, and evaluates what is left', async () => {
    const wrong =
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: 7, labels: x }\nspec:\n  replicas: {}\n  template:\n    spec: { containers: "x", volumes: 3 }\n';
    const { code, errors } = await evaluateBeside({ 'bad.yaml': wrong });
    expect(errors.map((error) => error.code)).toEqual(errors.map(() => 'malformed'));
    const fields = errors.map(({ message }) => message.split(' ')[0]);
    expect(fields).toEqual(
      expect.arrayContaining([
        '/metadata/name',
        '/metadata/labels',
        '/spec/replicas',
        '/spec/template/spec/containers',
        '/spec/template/spec/volumes',
      ]),
    );
    expect(new Set(fields).size).toBe(fields.length);
    expect(code).toBe(2);
  });

  it('takes __proto__ and constructor for the names of members that they are', async () => {
    const hostile =
      'apiVersion: v1\nkind: Pod\nmetadata: { name: p, __proto__: { x: 1 }, constructor: { prototype: { y: 1 } } }\nspec:\n  __proto__: { hostPID: true }\n  containers: [{ name: a, image: b }]\n';
    const { code, errors, findings } = await evaluateBeside({ 'bad.yaml': hostile });
    expect(errors).toEqual([]);
    expect(findings.some(({ resource }) => resource.name === 'p')).toBe(true);
    expect(code).toBe(0);
  });

  it('evaluates a file of 200 MB of many documents', { timeout: 120_000 }, async () => {
    const cwd = folderOf();
    const block = `    ${'x'.repeat(99)}\n`.repeat(1000);
    writeMany(
      join(cwd, 'many.yaml'),
      2000,
      (i) => `---\napiVersion: example.com/v1\nkind: Blob\nmetadata: { name: c${i} }\nspec:\n  a: |\n${block}`,
    );
    const { code, stdout } = await bylaw(['evaluate', 'many.yaml', '--json'], { cwd });
    expect(JSON.parse(stdout).summary).toMatchObject({
      ...{ resources: 2000, errors: 0 },
      unchecked: [{ kind: 'example.com/Blob', count: 2000 }],
    });
    expect(code).toBe(2);
  });

  it('refuses a document of 200 MB', { timeout: 120_000 }, async () => {
    const cwd = folderOf({ 'good.yaml': GOOD });
    const block = `    ${'x'.repeat(99)}\n`.repeat(1000);
    writeMany(join(cwd, 'one.yaml'), 2000, (i) =>
      i === 0 ? `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: big }\ndata:\n  a: |\n${block}` : block,
    );
    const { code, stdout } = await bylaw(['evaluate', '.', '--json', '--fail-on', 'none'], { cwd });
    const { errors, summary } = JSON.parse(stdout);
    expect(errors).toMatchObject([{ code: 'document-too-large', location: { file: 'one.yaml' } }]);
    expect(summary.resources).toBe(1);
    expect(code).toBe(2);
  });

  it('says on stderr what a report for machines may hide', async () => {
    const cwd = folderOf({ 'good.yaml': GOOD, 'bad.yaml': 'a: 1\na: 2\n' });
    const { code, stderr } = await bylaw(['evaluate', '.', '--format', 'sarif', '--output', 'out.sarif'], { cwd });
    expect(stderr).toContain('error: bad.yaml:2:1: The key "a" occurs on line 1');
    expect(stderr).toMatch(/wrote out\.sarif: INCOMPLETE {2}1 error; \d+ critical/);
    expect(code).toBe(2);
  });
});

describe('a rule pack', () => {
  const rule = (expression: string) =>
    `id: ORG-001\nseverity: HIGH\ntitle: A title\ndescription: A description.\ntargets: [PodSpec]\nexpression: ${JSON.stringify(expression)}\nfix: Mend it.\nframeworks: []\nreferences: []\npeers: []\nexamples:\n  - fail: { apiVersion: v1, kind: Pod, metadata: { name: a }, spec: { hostPID: true, containers: [] } }\n  - pass: { apiVersion: v1, kind: Pod, metadata: { name: a }, spec: { containers: [] } }\n`;

  it('with a broken expression is refused with file, line and column', async () => {
    const cwd = folderOf({ 'good.yaml': GOOD, 'rules/ORG-001.yaml': rule('podSpec.hostPID == = 1') });
    const { code, stdout, stderr } = await bylawAlone(['evaluate', 'good.yaml', '--rules', 'rules'], { cwd });
    expect(stderr).toMatch(/rules\/ORG-001\.yaml:6:\d+: ORG-001: `expression` does not compile/);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(stdout).toBe('');
    expect(code).toBe(3);
  });

  it('with a misspelt field is refused with the nearest one', async () => {
    const cwd = folderOf({ 'rules/ORG-001.yaml': rule('true').replace('severity:', 'severty:') });
    const { code, stderr } = await bylaw(['rules', 'test', 'rules'], { cwd });
    expect(stderr).toMatch(/rules\/ORG-001\.yaml:2:\d+: .*did you mean `severity`/);
    expect(code).toBe(3);
  });

  it('whose examples hold passes its test', async () => {
    const cwd = folderOf({ 'rules/ORG-001.yaml': rule('podSpec.?hostPID.orValue(false) != true') });
    const { code, stdout } = await bylaw(['rules', 'test', 'rules'], { cwd });
    expect(stdout).toContain('1 rule, 2 examples: 2 passed.');
    expect(code).toBe(0);
  });

  it('whose examples do not hold fails its test, and says which', async () => {
    const cwd = folderOf({ 'rules/ORG-001.yaml': rule('true') });
    const { code, stdout } = await bylaw(['rules', 'test', 'rules'], { cwd });
    expect(stdout).toContain('ORG-001 example 1 must fail, but it passes');
    expect(code).toBe(1);
  });
});

describe('the configuration', () => {
  it.each([
    ['an unknown key', 'evalute: {}\n', 'did you mean `evaluate`'],
    ['a wrong value', 'evaluate: { fail_on: SEVERE }\n', 'CRITICAL, HIGH, MEDIUM, LOW, INFO'],
    ['an exception without a reason', 'exceptions: [{ rule: CS-001 }]\n', '`reason`'],
    ['broken YAML', 'evaluate: [\n', 'not valid YAML'],
  ])('with %s exits with 3 and its place', async (_what, text, message) => {
    const cwd = folderOf({ 'bylaw.yaml': text, 'good.yaml': GOOD });
    for (const command of [['evaluate', 'good.yaml'], ['config', 'check'], ['rules']]) {
      const { code, stderr } = await bylaw(command, { cwd });
      expect(stderr).toMatch(/^error: bylaw\.yaml:\d+:\d+: /);
      expect(stderr).toContain(message);
      expect(code).toBe(3);
    }
  });

  it('that is missing where it was named exits with 3', async () => {
    const { code, stderr } = await bylaw(['rules', '--config', 'nowhere.yaml']);
    expect(stderr).toContain('Cannot read the configuration file nowhere.yaml');
    expect(code).toBe(3);
  });

  it('with a wrong setting of a rule pack exits with 3', async () => {
    const cwd = folderOf({ 'bylaw.yaml': 'packs: { k8s: { no_such_setting: 1 } }\n' });
    const { code, stderr } = await bylaw(['config', 'check'], { cwd });
    expect(stderr).toContain('no_such_setting');
    expect(code).toBe(3);
  });
});

function aliasBomb(): string {
  const lines = ['a: &a [x, x, x, x, x, x, x, x, x]'];
  for (const [from, to] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg', 'gh', 'hi'].map((pair) => pair.split('')))
    lines.push(`${to}: &${to} [${Array(9).fill(`*${from}`).join(', ')}]`);
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: bomb }\n${lines.join('\n')}\n`;
}

function writeMany(path: string, count: number, text: (i: number) => string): void {
  const file = openSync(path, 'w');
  for (let i = 0; i < count; i++) writeSync(file, text(i));
  closeSync(file);
}
