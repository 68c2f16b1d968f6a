import { mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createEvaluator } from '../cel/index.js';
import { BylawError } from '../errors.js';
import { loadArtefact, writeArtefact } from './artefact.js';
import { loadCatalogue } from './catalogue.js';
import { compilePack, PackError } from './compile.js';
import { readPack } from './pack.js';

function ruleText(id: string, change: (lines: string) => string = (lines) => lines): string {
  return change(`id: ${id}
severity: HIGH
title: Pods say who owns them
description: Nobody answers the pager of a pod without an owner.
targets: [PodSpec]
expression: podMetadata.?labels.?owner.hasValue()
path: /metadata/labels/owner
fix: Add the label owner.
examples:
  - fail: { apiVersion: v1, kind: Pod, metadata: { name: a }, spec: { containers: [] } }
  - pass: { apiVersion: v1, kind: Pod, metadata: { name: a, labels: { owner: me } }, spec: { containers: [] } }
`);
}

async function folder(files: { [name: string]: string }): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'bylaw-pack-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  return directory;
}

async function errorsOf(files: { [name: string]: string }, custom = false): Promise<string[]> {
  const { errors } = await readPack(await folder(files), createEvaluator(), { custom, displayAs: 'rules' });
  return errors.map(({ location, message }) => `${location?.file}:${location?.line}:${location?.column} ${message}`);
}

describe('a pack', () => {
  it('compiles to the same bytes twice, and loads with the same rules and examples', async () => {
    const directory = await folder({
      'b.yaml': ruleText('ORG-002'),
      'a.yaml': ruleText('ORG-001'),
      'pack.yaml': 'name: org\nconstants: { limit: 3 }\n',
    });
    const text = await compilePack(directory);
    expect(await compilePack(directory)).toBe(text);
    const file = join(directory, 'pack.jsonl');
    await writeFile(file, text);
    const pack = loadArtefact(pathToFileURL(file));
    expect(pack.rules.map((rule) => rule.id)).toEqual(['ORG-001', 'ORG-002']);
    expect(pack.constants).toEqual({ limit: 3 });
    const [, second] = pack.rules;
    expect(second && pack.detail(second).examples).toHaveLength(2);
    const { pack: read } = await readPack(directory, createEvaluator());
    expect(writeArtefact(read)).toBe(text);
  });

  it('takes no header from behind a link that leads out of its folder', async () => {
    const [outside, directory] = [await folder({ 'secret.yaml': 'S3CRET: 1\n' }), await folder({ 'a.yaml': ruleText('ORG-001') })];
    await symlink(join(outside, 'secret.yaml'), join(directory, 'pack.yaml'));
    const read = readPack(directory, createEvaluator(), { custom: true, displayAs: 'rules' });
    await expect(read).rejects.toThrow(/^This symbolic link leads out of the rule folder/);
  });

  it('takes the cause of a rule only from the rules that are there, and not in a circle', async () => {
    const caused = (id: string, by: string) => ruleText(id, (text) => text.replace('fix:', `caused_by: [{ rules: [${by}] }]\nfix:`));
    expect(await errorsOf({ 'a.yaml': caused('ORG-001', 'ORG-002'), 'b.yaml': ruleText('ORG-002') })).toEqual([]);
    expect(await errorsOf({ 'a.yaml': caused('ORG-001', 'CS-001') }, true)).toEqual([]);
    expect(await errorsOf({ 'a.yaml': caused('ORG-001', 'ORG-003') }, true)).toEqual([
      'rules/a.yaml:8:23 Unknown rule ORG-003 in `caused_by`.',
    ]);
    expect(await errorsOf({ 'a.yaml': caused('ORG-001', 'ORG-002'), 'b.yaml': caused('ORG-002', 'ORG-001') })).toEqual([
      'rules/a.yaml:8:23 ORG-002 is itself caused by ORG-001: causes must not form a cycle.',
      'rules/b.yaml:8:23 ORG-001 is itself caused by ORG-002: causes must not form a cycle.',
    ]);
    expect(await errorsOf({ 'a.yaml': caused('ORG-001', 'ORG-001') })).toEqual([
      'rules/a.yaml:8:23 ORG-001 is itself caused by ORG-001: causes must not form a cycle.',
    ]);
  });

  it('compiles the conditions of causes', async () => {
    const caused = (text: string) => text.replace('fix:', 'caused_by:\n  - rules: [ORG-002]\n    when: podMetadta == 1\nfix:');
    const [error] = await errorsOf({ 'a.yaml': ruleText('ORG-001', caused), 'b.yaml': ruleText('ORG-002') });
    expect(error).toMatch(/^rules\/a\.yaml:10:11 ORG-001: `caused_by` does not compile: .*podMetadta/);
  });

  it('names the place inside the expression that does not compile', async () => {
    const errors = await errorsOf({ 'a.yaml': ruleText('ORG-001', (text) => text.replace('podMetadata.?labels', 'podMetadta.?labels')) });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(/^rules\/a\.yaml:6:13 ORG-001: `expression` does not compile: .*podMetadata/);
  });

  it('names both files of a duplicate identifier', async () => {
    const errors = await errorsOf({ 'a.yaml': ruleText('ORG-001'), 'b.yaml': ruleText('ORG-001') });
    expect(errors).toEqual(['rules/b.yaml:1:1 The identifier ORG-001 is also used by rules/a.yaml.']);
  });

  it('keeps the good rules of a folder with a broken one', async () => {
    const directory = await folder({ 'a.yaml': 'id: [', 'b.yaml': ruleText('ORG-002') });
    const { pack, errors } = await readPack(directory, createEvaluator());
    expect(pack.rules.map((rule) => rule.id)).toEqual(['ORG-002']);
    expect(errors).toHaveLength(1);
  });

  it('does not let a custom pack use a built-in category', async () => {
    expect((await errorsOf({ 'a.yaml': ruleText('CS-101') }, true))[0]).toContain(
      'The category CS is reserved for built-in rules; choose a different category',
    );
  });

  it('asks for the parts of the set that a +set rule reads', async () => {
    const errors = await errorsOf({ 'a.yaml': ruleText('ORG-001', (text) => text.replace('[PodSpec]', '["PodSpec +set"]')) });
    expect(errors[0]).toContain('requires the field `set`');
  });

  it('asks for an example that fails and one that passes', async () => {
    const errors = await errorsOf({ 'a.yaml': ruleText('ORG-001', (text) => text.replace('- pass:', '- fail:')) });
    expect(errors[0]).toContain('The rule has no `pass` example.');
  });

  it('refuses a container list on a kind without containers', async () => {
    const errors = await errorsOf({
      'a.yaml': ruleText('ORG-001', (text) => text.replace('targets: [PodSpec]', 'targets: [Service]\neach: anyContainer')),
    });
    expect(errors[0]).toMatch(/^rules\/a\.yaml:6:1 A container list requires/);
  });
});

describe('a catalogue', () => {
  it('refuses an artefact that is missing, in words that help', () => {
    expect(() => loadArtefact(new URL('file:///nowhere/plugin-x/dist/pack.jsonl'))).toThrow(
      /compiled rule pack pack.jsonl of plugin-x is missing/,
    );
  });

  it('refuses an artefact of another version', async () => {
    const directory = await folder({ 'pack.jsonl': '{"format":999}\n[]\n' });
    expect(() => loadArtefact(pathToFileURL(join(directory, 'pack.jsonl')))).toThrow(/a different version of bylaw/);
  });

  it('loads custom folders and tells all their errors', async () => {
    const good = await folder({ 'a.yaml': ruleText('ORG-001') });
    const catalogue = await loadCatalogue({ packs: [], ruleDirs: [good] });
    expect(catalogue.get('ORG-001')?.title).toBe('Pods say who owns them');
    const bad = await folder({ 'a.yaml': 'id: x', 'b.yaml': 'id: y' });
    const failure = await loadCatalogue({ packs: [], ruleDirs: [bad] }).catch((error: unknown) => error);
    expect(failure instanceof PackError && failure.errors.length).toBeGreaterThan(1);
  });

  it('refuses an empty or missing folder', async () => {
    await expect(loadCatalogue({ packs: [], ruleDirs: [await folder({})] })).rejects.toThrow(BylawError);
    await expect(loadCatalogue({ packs: [], ruleDirs: ['no/such/folder'] })).rejects.toThrow(/Cannot read the rule folder/);
  });
});
