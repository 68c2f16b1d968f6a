import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createEvaluator } from '@bylaw/core/cel';
import { fixedClock } from '@bylaw/core/clock';
import { createEngine, type Finding, runExamples } from '@bylaw/core/evaluate';
import { CATEGORY_PACKAGES, catalogueOf, packInMemory, type RuleDetail } from '@bylaw/core/rule';
import { readPack } from '@bylaw/core/rule/compiler';
import { RULE_FOLDERS } from '@bylaw/core/testing/rule-packs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const read = await Promise.all(RULE_FOLDERS.map((folder) => readPack(fileURLToPath(folder), createEvaluator())));
const errors = read.flatMap((folder) => folder.errors);
const catalogue = catalogueOf(
  read.map(({ pack }) => packInMemory(pack)),
  { packs: [], ruleDirs: [] },
);

/** The categories that are written so far, with the number of rules that the catalogue plans for each. */
const COMPLETE = { CS: 100, SP: 45, SC: 45, RL: 60, RM: 35, ST: 30, OP: 25, NS: 75 };

describe('the rule packs', () => {
  it('compiles without an error', () => {
    expect(errors.map(({ location, message }) => `${location?.file}:${location?.line} ${message}`)).toEqual([]);
  });

  it('come with their packages, under different names', () => {
    expect(new Set(catalogue.packs.map(({ name }) => name)).size).toBe(RULE_FOLDERS.length);
    for (const folder of RULE_FOLDERS) {
      const { files } = JSON.parse(readFileSync(new URL('../package.json', folder), 'utf8')) as { files: string[] };
      expect(files).toEqual(expect.arrayContaining(['rules', 'dist/pack', 'dist/pack.jsonl']));
    }
  });

  it('are in the package that the category names', () => {
    for (const { category, id } of catalogue.rules) {
      const name = catalogue.packOf(id)?.name;
      expect([id, CATEGORY_PACKAGES[category as keyof typeof CATEGORY_PACKAGES]]).toEqual([id, `@bylaw/plugin-${name}`]); // a built-in rule
    }
  });

  it('give one constant one value', () => {
    const values = new Map<string, unknown>();
    for (const { constants } of catalogue.packs)
      for (const [name, value] of Object.entries(constants)) {
        if (values.has(name)) expect([name, value]).toEqual([name, values.get(name)]);
        values.set(name, value);
      }
  });

  it.each(Object.entries(COMPLETE))('has every rule of %s, numbered without a hole', (category, count) => {
    const ids = catalogue.rules.filter((rule) => rule.category === category).map((rule) => rule.id);
    expect(ids).toEqual(Array.from({ length: count }, (_, index) => `${category}-${String(index + 1).padStart(3, '0')}`));
  });

  it('has no two rules with one title', () => {
    const titles = catalogue.rules.map((rule) => rule.title);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });

  it.each(catalogue.rules.map((rule) => [rule.id]))('%s says of each of its examples what it should', (id) => {
    const rule = catalogue.get(id);
    const results = rule ? runExamples(catalogue, [rule]) : [];
    expect(results.length).toBeGreaterThanOrEqual(2);
    expect(results.filter((result) => result.problem !== undefined)).toEqual([]);
  });
});

describe('no rule fails to evaluate', () => {
  const words = [
    '',
    '/',
    'nginx:latest',
    '0',
    'true',
    '/var/run/docker.sock',
    '$(X)',
    'x@y:z//',
    '{',
    '[1',
    'constructor',
    '__proto__',
    'name',
    '@sha256:',
    'http://',
    '*',
  ];
  const junk = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constant(null),
      fc.boolean(),
      fc.double(),
      fc.integer(),
      fc.constantFrom(...words),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...words), tie('value'), { maxKeys: 3 }),
    ),
  })).value;

  it.each(catalogue.rules.map((rule) => [rule.id]))('%s, on its own examples with parts replaced by arbitrary JSON', async (id) => {
    const detail = catalogue.detail(id);
    const objects = (detail?.examples ?? []).flatMap((example) =>
      [example.fail ?? example.pass ?? example.skip ?? example.undecided ?? []].flat(),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ example: fc.nat({ max: objects.length - 1 }), at: fc.nat({ max: 200 }), by: junk }), {
          minLength: 1,
          maxLength: 4,
        }),
        async (changes) => {
          const broken = changes.map(({ example, at, by }) => replaceNode(objects[example], at, by));
          expect(await errorFindings(detail, broken)).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });

  async function errorFindings(detail: RuleDetail | undefined, values: unknown[]): Promise<Finding[]> {
    const engine = createEngine({ catalogue, clock: fixedClock('2026-11-21') });
    const found: Finding[] = [];
    for await (const event of engine.evaluate({
      inputs: [{ file: 'x', values }],
      filter: { rules: detail ? [detail.id] : [] },
      threads: 0,
    }))
      if (event.type === 'findings') found.push(...event.batch.findings().filter((finding) => finding.status === 'error'));
    return found;
  }
});

/** A copy with its n-th node (depth first, apiVersion and kind left alone) replaced. */
function replaceNode(root: unknown, n: number, by: unknown): unknown {
  let count = 0;
  const visit = (value: unknown): unknown => {
    if (count++ === n) return by;
    if (Array.isArray(value)) return value.map(visit);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, key === 'apiVersion' || key === 'kind' ? member : visit(member)]),
    );
  };
  return visit(root);
}
