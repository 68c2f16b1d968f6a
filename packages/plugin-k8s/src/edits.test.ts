import { fileURLToPath } from 'node:url';
import { createEvaluator } from '@bylaw/core/cel';
import { runEdits } from '@bylaw/core/fix';
import { catalogueOf, isFixable, packInMemory } from '@bylaw/core/rule';
import { readPack } from '@bylaw/core/rule/compiler';
import { describe, expect, it } from 'vitest';

const { pack } = await readPack(fileURLToPath(new URL('../rules', import.meta.url)), createEvaluator(), { displayAs: 'rules' });
const catalogue = catalogueOf([packInMemory(pack)], { packs: [], ruleDirs: [] });
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
});
