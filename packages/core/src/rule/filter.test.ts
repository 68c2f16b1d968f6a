import { describe, expect, it } from 'vitest';
import { catalogueOf, packInMemory } from './catalogue.js';
import { selectRules } from './filter.js';
import type { RuleDetail } from './rule.js';

function rule(id: string, severity: RuleDetail['severity'], title = 'A title'): RuleDetail {
  const category = id.slice(0, id.indexOf('-'));
  return {
    id,
    category,
    severity,
    title,
    description: 'd',
    targets: ['Pod'],
    logic: [],
    fix: 'f',
    frameworks: [],
    references: [],
    peers: [],
    examples: [],
  };
}

const rules = [rule('ORG-001', 'LOW'), rule('SP-001', 'HIGH', 'Secrets are kept'), rule('CS-002', 'HIGH'), rule('CS-001', 'CRITICAL')];
const catalogue = catalogueOf([packInMemory({ name: 'p', settings: {}, constants: {}, rules })], { packs: [], ruleDirs: [] });
const ids = (filter: Parameters<typeof selectRules>[1]) => selectRules(catalogue, filter).map((one) => one.id);

describe('selecting rules', () => {
  it('keeps the order of the categories, custom ones last', () => {
    expect(ids({})).toEqual(['CS-001', 'CS-002', 'SP-001', 'ORG-001']);
  });

  it('satisfies every filter given', () => {
    expect(ids({ categories: ['cs'], severities: ['high'] })).toEqual(['CS-002']);
    expect(ids({ categories: ['CS', 'SP'], excludeRules: ['CS-001'] })).toEqual(['CS-002', 'SP-001']);
    expect(ids({ search: 'kept SECRETS' })).toEqual(['SP-001']);
  });

  it('knows all 15 categories, installed or not', () => {
    expect(ids({ categories: ['AWS'] })).toEqual([]);
  });

  it.each([
    [{ categories: ['CX'] }, 'category-unknown'],
    [{ severities: ['URGENT'] }, 'severity-unknown'],
    [{ rules: ['CS-999'] }, 'rule-unknown'],
  ])('refuses the unknown name in %j', (filter, code) => {
    expect(() => ids(filter)).toThrow(expect.objectContaining({ code, hint: expect.any(String) }));
  });
});
