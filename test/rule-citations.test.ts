import { controlListOf, parseFrameworkRef } from '@bylaw/core/compliance';
import { loadCatalogue } from '@bylaw/core/rule';
import { RULE_PACKS } from '@bylaw/core/testing/rule-packs';
import { describe, expect, it } from 'vitest';

const { rules } = await loadCatalogue({ packs: RULE_PACKS });
const citations = rules.flatMap(({ id, frameworks }) => frameworks.map((text) => ({ id, text, ...parseFrameworkRef(text) })));

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
