import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { controlListOf, parseFrameworkRef } from '@bylaw/core/compliance';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const folder = fileURLToPath(new URL('../rules', import.meta.url));
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /^[A-Z]+\/.*\.yaml$/.test(name));
const citations = files.flatMap((name) => {
  const { id, frameworks = [] } = parse(readFileSync(join(folder, name), 'utf8')) as { id: string; frameworks?: string[] }; // a rule of ours
  return frameworks.map((text) => ({ id, text, ...parseFrameworkRef(text) }));
});

describe('the rules', () => {
  it('cite only controls that the framework has, where these are known', () => {
    const unknown = citations.filter(({ framework, item }) => {
      const { controls, parts = [], complete } = controlListOf(framework);
      return complete && item !== null && ![...controls, ...parts].some((control) => control.id === item);
    });
    expect(unknown.map(({ id, text }) => `${id}: ${text}`)).toEqual([]);
    expect(citations.length).toBeGreaterThan(500);
  });

  it('cite only techniques of MITRE ATT&CK whose name is known', () => {
    const techniques = citations.filter(({ framework }) => framework === 'MITRE-ATTACK');
    const { controls } = controlListOf('MITRE-ATTACK');
    expect(techniques.filter(({ item }) => !controls.some(({ id }) => id === item)).map(({ id, text }) => `${id}: ${text}`)).toEqual([]);
    expect(techniques.length).toBeGreaterThan(50);
  });
});
