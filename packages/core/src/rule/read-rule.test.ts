import { describe, expect, it } from 'vitest';
import { readRule } from './read-rule.js';

const GOOD = `id: ORG-001
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
`;

function errorsOf(text: string): string[] {
  const read = readRule('rules/ORG-001.yaml', text);
  return 'errors' in read ? read.errors.map((error) => `${error.location?.line}:${error.location?.column} ${error.message}`) : [];
}

describe('reading a rule file', () => {
  it('takes the category from the identifier and fills in the lists', () => {
    const read = readRule('r.yaml', GOOD);
    expect('rule' in read && read.rule.rule).toMatchObject({
      id: 'ORG-001',
      category: 'ORG',
      frameworks: [],
      peers: [],
      targets: ['PodSpec'],
    });
  });

  it('names line, column and the nearest field for an unknown one', () => {
    expect(errorsOf(GOOD.replace('severity:', 'severty:'))).toEqual([
      '1:1 The file must have the field `severity`.',
      '2:1 Unknown field `severty`; did you mean `severity`?',
    ]);
  });

  it('names the nearest value of an enumeration', () => {
    expect(errorsOf(GOOD.replace('HIGH', 'HIHG'))).toEqual([
      '2:1 `severity` must be one of CRITICAL, HIGH, MEDIUM, LOW, INFO; did you mean HIGH?',
    ]);
  });

  it('refuses a file that is no valid YAML with the place of the fault', () => {
    expect(errorsOf(GOOD.replace('targets: [PodSpec]', 'targets: [PodSpec'))[0]).toMatch(/^\d+:\d+ The file is not valid YAML: /);
  });

  it('refuses a duplicate key', () => {
    expect(errorsOf(`${GOOD}fix: again\n`)[0]).toMatch(/^12:1 The file is not valid YAML: /);
  });

  it('takes an edit that sets, adds or removes, and none that does nothing', () => {
    const edit =
      "edit: { when: 'true', set: { /metadata/labels/owner: nobody }, add: { /metadata/finalizers: [a] }, remove: [/spec/x~1y] }\n";
    expect(errorsOf(GOOD + edit)).toEqual([]);
    expect(errorsOf(`${GOOD}edit: { when: 'true' }\n`)).toEqual(['12:1 `edit` must have `set`, `add` or `remove`.']);
    expect(errorsOf(`${GOOD}edit: { add: { /metadata/finalizers: [] } }\n`)).toEqual([expect.stringMatching(/^12:16 /)]);
  });

  it('refuses a rule with neither an expression nor variants', () => {
    expect(errorsOf(GOOD.replace(/^expression.*\n/m, ''))).toEqual([
      '1:1 The file must have one of these forms: with `targets` and `expression`, or with `variants`.',
    ]);
  });

  it.each([['id: org-1'], ['id: ORG-1'], ['id: ""']])('refuses the identifier %s', (line) => {
    expect(errorsOf(GOOD.replace('id: ORG-001', line))[0]).toContain('1:1 `id`');
  });

  it('reads variants as one logic each', () => {
    const text = GOOD.replace(
      'targets: [PodSpec]\nexpression: podMetadata.?labels.?owner.hasValue()\npath: /metadata/labels/owner\n',
      '',
    ).concat('variants:\n  - { targets: [Pod], expression: "true" }\n  - { targets: [Service], expression: "true" }\n');
    const read = readRule('r.yaml', text);
    expect('rule' in read && read.rule.rule.targets).toEqual(['Pod', 'Service']);
  });
});
