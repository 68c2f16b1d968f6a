import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fixFile } from './fix-file.js';
import { fixerFor, newRule, podRules } from './rules.test-support.js';

const rules = [
  ...podRules,
  newRule('ORG-004', 'object.?immutable.orValue(false)', { set: { '/immutable': true } }, { targets: ['Secret'] }),
  newRule('ORG-005', '!podSpec.?hostIPC.hasValue()', { remove: ['/spec/hostIPC'] }, { path: '/spec/hostIPC' }),
];

async function fix(text: string | Uint8Array) {
  const { text: changed, fixed, unfixed } = await fixFile({ file: 'x.yaml', explicit: true }, Buffer.from(text), fixerFor(rules));
  return {
    after: changed?.after,
    masked: changed?.masked,
    fixed: fixed.map(({ rule_id }) => rule_id),
    unfixed: unfixed.map(({ finding, reason }) => `${finding.rule_id}: ${reason}`),
  };
}

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join('');
const pod = (...spec: string[]) => lines('apiVersion: v1', 'kind: Pod', 'metadata: { name: a }', 'spec:', ...spec);
const GOOD = pod('  containers: []');
const BAD = pod('  hostPID: true # why', '  containers: []');
const MENDED = pod('  hostPID: false # why', '  containers: []');

describe('mending the text of a file', () => {
  it('changes what has to be changed, and a second time nothing', async () => {
    const { after, fixed, unfixed } = await fix(BAD);
    expect({ after, fixed, unfixed }).toEqual({ after: MENDED, fixed: ['ORG-001'], unfixed: [] });
    expect(await fix(MENDED)).toMatchObject({ after: undefined, fixed: [] });
  });

  it('keeps whatever stands between documents, line breaks, a byte order mark and the end of the file as they are', async () => {
    const around = (text: string) => `\ufeff# head\n%YAML 1.1\n---\n${text}...\n# between\n--- # two\n${GOOD}---\n\n---\n${text.trimEnd()}`;
    for (const newline of ['\n', '\r\n']) {
      const written = (text: string) => around(text).replaceAll('\n', newline);
      expect((await fix(written(BAD))).after).toBe(written(MENDED));
    }
  });

  it('mends the items of lists, and objects of which several stand on one line', async () => {
    const list = (value: boolean) =>
      lines(
        'kind: List',
        'apiVersion: v1',
        'items:',
        `- {apiVersion: v1, kind: Pod, spec: {hostPID: ${value}, containers: []}}`,
        '- # empty',
      );
    expect((await fix(list(true))).after).toBe(list(false));
    const json = (value: boolean) => ` {"apiVersion":"v1","kind":"Pod","spec":{"hostPID":${value},"containers":[]}}`;
    expect((await fix(json(true) + json(true))).after).toBe(json(false) + json(false));
  });

  it('reaches the containers of a CronJob, and what is missing on the way', async () => {
    const cron = (more: readonly string[]) =>
      lines(
        'apiVersion: batch/v1',
        'kind: CronJob',
        'spec: {jobTemplate: {spec: {template: {spec: {',
        '  containers: [',
        '    {name: a},',
        ...more,
        '  ]}}}}}',
      );
    const { after } = await fix(cron([]));
    expect(after).toBe(cron([]).replace('{name: a}', '{name: a, securityContext: {capabilities: {drop: [ALL]}}}'));
  });

  it('goes on past documents that cannot be read', async () => {
    expect((await fix(`${BAD}---\na: [\n---\n${BAD}`)).after).toBe(`${MENDED}---\na: [\n---\n${MENDED}`);
  });

  it('keeps the fields of a wrong type, of which the evaluation tells', async () => {
    const wrong = (value: boolean) => pod(`  hostPID: ${value}`, '  volumes: all', '  containers: []');
    expect((await fix(wrong(true))).after).toBe(wrong(false));
  });
});

describe('damaged text', () => {
  const text = pod(
    '  hostPID: &x true # why',
    '  containers:',
    '  - &c { name: "a", env: [] }',
    '  - name: b',
    '    securityContext: *c',
    '',
    '  # end',
  );

  it('never stops it, and is never changed into something that cannot be read', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ at: fc.nat(text.length), cut: fc.nat(6), put: fc.constantFrom('', ...'\n {}[]:-#&*?|"\'\r\t,') }), {
          maxLength: 4,
        }),
        async (damages) => {
          const damaged = damages.reduce((all, { at, cut, put }) => all.slice(0, at) + put + all.slice(at + cut), text);
          const { after } = await fix(damaged);
          if (after !== undefined) expect(await fix(after)).toMatchObject({ after: undefined, fixed: [] });
        },
      ),
      { numRuns: 400 },
    );
  });
});

describe('a document stays as it is', () => {
  it('where the change would reach further than it should', async () => {
    const shared = pod('  containers:', '  - &c {name: a}', '  - name: b', '    env: [*c]');
    expect((await fix(shared)).unfixed).toEqual([expect.stringContaining('uses the same text in other places')]);
    expect((await fix(shared)).after).toContain('name: b\n    env: [*c]\n    securityContext:');
  });

  it('where a comment that accepts findings would govern something else', async () => {
    const accepted = pod('  # bylaw:ignore ORG-009 known', '  hostIPC: true', '  containers: []');
    const { after, unfixed } = await fix(accepted);
    expect(after).toBeUndefined();
    expect(unfixed).toEqual(['ORG-005: its text cannot be changed without changing something else']);
  });

  it('where it is very large', async () => {
    const large = `${BAD}# ${'x'.repeat(4 * 1024 * 1024)}\n`;
    expect(await fix(large)).toMatchObject({ after: undefined, unfixed: ['ORG-001: its document is larger than 4 MiB'] });
  });

  it('where its file is not UTF-8, or has a mark in the middle of it', async () => {
    expect(await fix(Buffer.concat([Buffer.from(`${BAD}---\nb: "`), Buffer.from([0xff]), Buffer.from('"\n')]))).toMatchObject({
      after: undefined,
      unfixed: ['ORG-001: part of its file is not UTF-8'],
    });
    expect(await fix(`${BAD}---\n\ufeff${BAD}`)).toMatchObject({
      unfixed: ['ORG-001: its file has a byte order mark in the middle'],
    });
    expect((await fix(`${BAD}---\n\ufeff${BAD}`)).after).toBe(`${MENDED}---\n\ufeff${BAD}`);
  });
});

describe('a text to be shown', () => {
  const secret = (...values: string[]) => lines('apiVersion: v1', 'kind: Secret', 'metadata: { name: s }', ...values);

  it('lacks the values of Secrets, wherever they are written', async () => {
    const { after, masked } = await fix(
      secret('stringData:', '  a: plain-1 # note', '  b: |', '    block-2', '    block-3', '  c: &x "quoted-4"', '  d: *x'),
    );
    expect(after).toContain('plain-1');
    expect(masked?.after).toBe(secret('stringData:', '  a: *** # note', '  b: ***', '  c: &x ***', '  d: *x', 'immutable: true'));
    expect(masked?.before).not.toMatch(/plain-1|block-2|quoted-4/);
  });

  it('lacks their copy in an annotation, and all of a document that holds some and cannot be read', async () => {
    const annotated = secret('').replace('{ name: s }', `{ annotations: { kubectl.kubernetes.io/last-applied-configuration: 'copy-7' } }`);
    const { masked } = await fix(`${annotated}---\nkind: Secret\ndata: {a: broken-8\n---\n${BAD}`);
    expect(masked?.after).toContain('hostPID: false');
    expect(masked?.after).not.toMatch(/copy-7|broken-8/);
  });

  it('is the text itself where no Secret is in the file', async () => {
    expect((await fix(BAD)).masked).toBeUndefined();
  });
});
