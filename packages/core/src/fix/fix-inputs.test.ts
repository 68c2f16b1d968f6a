import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fixedClock } from '../clock.js';
import type { AnyInput } from '../evaluate/index.js';
import { fileInput, textInput } from '../resource/index.js';
import { type FixRequest, fixInputs } from './fix-inputs.js';
import { newCatalogue, newRule, podRules } from './rules.test-support.js';

const BAD = 'apiVersion: v1\nkind: Pod\nspec: { hostPID: true }\n';

async function fix(inputs: readonly AnyInput[], rules = podRules, filter: FixRequest['filter'] = {}) {
  const results = [];
  for await (const { text, fixed, unfixed } of fixInputs(newCatalogue(rules), { inputs, filter }, fixedClock('2026-01-01')))
    results.push({ after: text?.after, fixed: fixed.length, unfixed: unfixed.map(({ reason }) => reason) });
  return results;
}

describe('mending inputs', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bylaw-fix-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return fileInput(join(folder, name), name);
  };

  it('gives each file its new text, in their order', async () => {
    expect(await fix([file('a.yaml', BAD), file('b.yaml', BAD.replace('true', 'false'))])).toEqual([
      { after: BAD.replace('true', 'false'), fixed: 1, unfixed: [] },
      { after: undefined, fixed: 0, unfixed: [] },
    ]);
  });

  it('only looks at what is no file, was rendered, or is too large', async () => {
    const large = { ...file('large.yaml', BAD), size: 1024 * 1024 * 1024 };
    expect(await fix([textInput('<stdin>', BAD), { ...file('a.yaml', BAD), rendered: 'chart' }, large])).toEqual([
      { after: undefined, fixed: 0, unfixed: ['it was not read from a file'] },
      { after: undefined, fixed: 0, unfixed: ['it was rendered from chart, which must be changed instead'] },
      { after: undefined, fixed: 0, unfixed: ['its file is larger than 128 MiB'] },
    ]);
  });

  it('passes over what cannot be read, and Terraform plans', async () => {
    const plan = JSON.stringify({
      format_version: '1.2',
      terraform_version: '1.9.0',
      planned_values: { root_module: { resources: [{ address: 'a.b', mode: 'managed', type: 'a', name: 'b', values: { x: 1 } }] } },
    });
    const rule = newRule('ORG-001', 'object.?x.orValue(1) != 1', { set: { '/x': 2 } }, { targets: ['a'] });
    expect(await fix([fileInput(join(folder, 'gone.yaml'), 'gone.yaml'), file('plan.json', plan)], [rule])).toEqual([
      { after: undefined, fixed: 0, unfixed: [] },
      { after: undefined, fixed: 0, unfixed: ['a Terraform plan is generated from other files'] },
    ]);
  });

  it('does not change a configuration inside a ConfigMap', async () => {
    const configuration = 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nreadOnlyPort: 1\n';
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kubelet-config', namespace: 'kube-system' } };
    const targets = ['kubelet.config.k8s.io/KubeletConfiguration'];
    const rule = newRule('ORG-001', 'object.?readOnlyPort.orValue(0) == 0', { set: { '/readOnlyPort': 0 } }, { targets });
    const inputs = [file('a.yaml', JSON.stringify({ ...map, data: { kubelet: configuration } })), file('b.yaml', configuration)];
    expect(await fix(inputs, [rule])).toEqual([
      { after: undefined, fixed: 0, unfixed: ['it is in a text of a ConfigMap'] },
      { after: configuration.replace('readOnlyPort: 1', 'readOnlyPort: 0'), fixed: 1, unfixed: [] },
    ]);
  });

  it('uses the selected rules only, and does not even read where none of them has an edit', async () => {
    const unread = { ...file('a.yaml', BAD), open: () => Promise.reject(new Error('read')) as never };
    expect(await fix([unread], podRules, { rules: [] })).toEqual([]);
    expect(await fix([file('a.yaml', BAD)], podRules, { rules: ['ORG-002'] })).toMatchObject([{ after: undefined, unfixed: [] }]);
  });

  it('evaluates what rules see of the whole set', async () => {
    const owned = {
      ...newRule(
        'ORG-001',
        'resources.ofKind("Namespace").size() == 0',
        { set: { '/spec/x': 1 } },
        { targets: ['Pod +set'], path: '/spec/x' },
      ),
      set: { Namespace: [] },
    };
    const namespace = file('n.yaml', 'apiVersion: v1\nkind: Namespace\nmetadata: {name: n}\n');
    expect((await fix([file('a.yaml', BAD), namespace], [owned]))[0]?.unfixed).toEqual(['the finding would remain']);
    expect((await fix([file('a.yaml', BAD)], [owned]))[0]?.unfixed).toEqual([]);
  });
});
