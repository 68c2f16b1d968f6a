import { describe, expect, it } from 'vitest';
import { fixedClock } from '../clock.js';
import { textInput } from '../resource/index.js';
import { catalogueOf, packInMemory, type RuleDetail } from '../rule/index.js';
import { compareConfigurations } from './compare.js';

const rules: RuleDetail[] = (
  [
    ['T-001', 'HIGH', 'container.?privileged.orValue(false) != true'],
    ['T-002', 'LOW', 'text(container.?image) != "old"'],
  ] as const
).map(([id, severity, expression]) => ({
  id,
  category: 'T',
  severity,
  title: id,
  description: 'd',
  targets: ['PodSpec'],
  logic: [{ targets: ['PodSpec'], each: 'anyContainer', expression }],
  fix: 'f',
  frameworks: [],
  references: [],
  peers: [],
  examples: [],
}));
const catalogue = catalogueOf([packInMemory({ name: 'p', settings: {}, constants: {}, rules })], { packs: [], ruleDirs: [] });

function compare(current: string, proposed: string) {
  const side = (text: string) => ({ inputs: [textInput('a.yaml', text)] });
  return compareConfigurations(catalogue, { current: side(current), proposed: side(proposed) }, fixedClock('2026-11-21'));
}

const pod = (name: string, containers: string) =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec:\n  containers: [${containers}]\n`;

describe('comparing two configurations', () => {
  it('finds nothing between equal ones, whatever the order of documents and the layout', async () => {
    const a = pod('a', '{ name: x, image: old }');
    const b = pod('b', '{ name: z, image: new }');
    const comparison = await compare(`${a}---\n${b}`, `# moved\n${b}---\n\n${a}`);
    expect(comparison).toMatchObject({
      verdict: 'unchanged',
      introduced: [],
      resolved: [],
      unchanged: 1,
      changes: [],
      score: { delta: 0 },
    });
  });

  it('knows a finding again when a container is put in front of it', async () => {
    const comparison = await compare(pod('a', '{ name: x, image: old }'), pod('a', '{ name: w, image: new }, { name: x, image: old }'));
    expect(comparison).toMatchObject({ introduced: [], resolved: [], unchanged: 1, changes: [{ change: 'modified' }] });
  });

  it('looks at the most severe level first', async () => {
    const comparison = await compare(
      pod('a', '{ name: x, image: old }, { name: z, image: old }'),
      pod('a', '{ name: x, image: new, privileged: true }, { name: z, image: new }'),
    );
    expect(comparison).toMatchObject({
      verdict: 'regressed',
      introduced: [{ rule_id: 'T-001' }],
      resolved: [{ rule_id: 'T-002' }, { rule_id: 'T-002' }],
    });
  });

  it('lists what was added, removed and changed, with the places', async () => {
    const comparison = await compare(
      `${pod('a', '{ name: x, image: one }')}---\n${pod('gone', '')}`,
      `${pod('a', '{ name: x, image: two }')}---\n${pod('new', '')}`,
    );
    expect(comparison.changes.map(({ resource, change, paths }) => [resource.name, change, paths])).toEqual([
      ['a', 'modified', ['/spec/containers/0/image']],
      ['new', 'added', []],
      ['gone', 'removed', []],
    ]);
  });

  describe('where something cannot be read', () => {
    const bad = pod('a', '{ name: x, image: new, privileged: true }');
    const broken = `${bad}\tx: z\n`;
    const sides = (current: { [file: string]: string }, proposed: { [file: string]: string }) => {
      const side = (folder: string, files: { [file: string]: string }) => ({
        inputs: Object.entries(files).map(([file, text]) => textInput(`${folder}/${file}`, text)),
      });
      return compareConfigurations(
        catalogue,
        { current: side('main/deploy', current), proposed: side('branch', proposed) },
        fixedClock('2026-11-21'),
      );
    };
    const good = pod('b', '{ name: z, image: new }');

    it('never says that breaking a file improves anything, and lists what it finds all the same', async () => {
      const comparison = await sides({ 'a.yaml': bad, 'b.yaml': good }, { 'a.yaml': broken, 'b.yaml': bad });
      expect(comparison).toMatchObject({ verdict: 'incomplete', unchanged: 1, errors: [{ code: 'yaml-syntax' }] });
    });

    it('lets the change that repairs a file pass, although its findings look new', async () => {
      const comparison = await sides({ 'a.yaml': broken, 'b.yaml': good }, { 'a.yaml': bad, 'b.yaml': good });
      expect(comparison).toMatchObject({ verdict: 'unchanged', introduced: [{ rule_id: 'T-001' }], not_comparable: 1 });
      expect(comparison.errors).toHaveLength(1);
    });

    it('does not excuse findings in other files', async () => {
      const comparison = await sides(
        { 'a.yaml': broken, 'b.yaml': good },
        { 'a.yaml': bad, 'b.yaml': pod('b', '{ name: z, image: new, privileged: true }') },
      );
      expect(comparison).toMatchObject({ verdict: 'regressed', not_comparable: 1 });
    });

    it('takes a single file of each side for the same, whatever their names', async () => {
      const side = (file: string, text: string) => ({ inputs: [textInput(file, text)] });
      const request = { current: side('old.yaml', broken), proposed: side('new.yaml', bad) };
      expect(await compareConfigurations(catalogue, request, fixedClock('2026-11-21'))).toMatchObject({
        verdict: 'unchanged',
        not_comparable: 1,
      });
    });

    it('names the kinds that no rule covers, side by side', async () => {
      const service = 'apiVersion: v1\nkind: Service\nmetadata: { name: s }\n';
      const { unchecked } = await compare(good, service);
      expect(unchecked).toEqual({ current: [], proposed: [{ kind: 'Service', count: 1 }] });
    });

    it('names a rule that could not be evaluated', async () => {
      const failing = pod('a', '{ name: x, image: { not: text } }');
      const comparison = await compare(good, failing);
      expect(comparison.verdict).toBe('incomplete');
      expect(comparison.errors.length).toBeGreaterThan(0);
    });
  });

  it('reports the errors of both sides and continues', async () => {
    const comparison = await compare('a: [', `${pod('a', '{ name: x, image: one }')}---\nb: [`);
    expect(comparison.errors).toHaveLength(2);
  });

  it('reports a rule that could not be evaluated on either side as an error', async () => {
    const broken = {
      ...rules[0],
      id: 'T-003',
      logic: [{ targets: ['PodSpec'], expression: 'podSpec.volumes.all(v, v.name != "")' }],
    } as RuleDetail;
    const catalogue = catalogueOf([packInMemory({ name: 'p', settings: {}, constants: {}, rules: [...rules, broken] })], {
      packs: [],
      ruleDirs: [],
    });
    const side = (text: string) => ({ inputs: [textInput('a.yaml', text)] });
    const request = { current: side(pod('a', '{ name: x, image: i }')), proposed: side(pod('b', '{ name: z, image: old }')) };
    const comparison = await compareConfigurations(catalogue, request, fixedClock('2026-11-21'));
    expect(comparison.introduced).toMatchObject([{ rule_id: 'T-002' }]);
    expect(comparison.errors).toMatchObject([
      { code: 'rule-failed', message: expect.stringMatching(/^T-003 on Pod a: The rule could not be evaluated: /), location: { line: 1 } },
      { code: 'rule-failed', message: expect.stringMatching(/^T-003 on Pod b: /) },
    ]);
  });
});
