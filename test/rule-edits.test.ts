import { fixedClock } from '@bylaw/core/clock';
import { fixInputs, runEdits } from '@bylaw/core/fix';
import { type Input, textInput } from '@bylaw/core/resource';
import { isFixable, loadCatalogue, type Rule } from '@bylaw/core/rule';
import { RULE_PACKS } from '@bylaw/core/testing/rule-packs';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';

const catalogue = await loadCatalogue({ packs: RULE_PACKS });
const fixable = catalogue.rules.filter(isFixable);

describe('the edits of the rules', () => {
  it.each(fixable.map(({ id }) => [id]))(
    '%s mends its own examples, alone and beside all other rules, and none of these fails because of it',
    (id) => {
      const rule = catalogue.get(id);
      const rules = rule ? [rule] : [];
      expect(runEdits(catalogue, rules).filter(({ problem }) => problem !== undefined)).toEqual([]);
      expect(runEdits(catalogue, rules, catalogue.rules).filter(({ problem }) => problem !== undefined)).toEqual([]);
    },
  );

  it.each<[string, (value: unknown) => string]>([
    ['YAML', (value) => stringify(value)],
    ['JSON', (value) => JSON.stringify(value, null, 2)],
  ])('can be made in the %s of their examples, once', async (_form, write) => {
    const mended = await fix(fixable.flatMap((rule) => failing(rule)).map((object) => write(object)));
    expect(mended.filter(({ fixed, after }) => fixed > 0 && after === undefined)).toEqual([]);
    const again = await fix(mended.flatMap(({ after }) => after ?? []));
    expect(again.filter(({ after }) => after !== undefined)).toEqual([]);
  });
});

function failing(rule: Rule): unknown[] {
  return (catalogue.detail(rule.id)?.examples ?? []).flatMap(({ fail }) => [fail ?? []].flat());
}

async function fix(texts: readonly string[]) {
  const inputs = texts.map((text, index): Input => ({ ...textInput(`${index}.yaml`, text), path: `/${index}.yaml` }));
  const fixes = await Array.fromAsync(fixInputs(catalogue, { inputs }, fixedClock('2026-11-21')));
  return fixes.map(({ text, fixed }) => ({ after: text?.after, fixed: fixed.length }));
}
