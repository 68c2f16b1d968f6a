import { describe, expect, it } from 'vitest';
import { fixedClock } from '../clock.js';
import { type GroupReader, type Input, type ReadResource, textInput, withReader } from '../resource/index.js';
import { catalogueOf, packInMemory, type RuleDetail } from '../rule/index.js';
import { compareConfigurations } from './compare.js';
import { createEngine } from './engine.js';
import type { EvaluationEvent } from './findings/evaluation.js';
import type { Finding } from './findings/finding.js';

/** A bucket must have a companion with its name in its group. */
const JOINED: RuleDetail = {
  id: 'AWS-001',
  category: 'AWS',
  severity: 'HIGH',
  title: 'Buckets have a companion',
  description: 'Why.',
  targets: ['bucket +set'],
  set: { companion: ['/bucket'] },
  logic: [
    { targets: ['bucket +set'], expression: 'resources.ofKind("companion").exists(c, c.?bucket == object.?bucket)', path: '/bucket' },
  ],
  fix: 'Fix it.',
  frameworks: [],
  references: [],
  peers: [],
  examples: [],
};

const catalogue = catalogueOf([packInMemory({ name: 'p', settings: {}, constants: {}, rules: [JOINED] })], { packs: [], ruleDirs: [] });
const clock = fixedClock('2026-01-01T00:00:00Z');

/** Reads files `root/name.lines`, each line of which is a kind and a bucket. A root is a group. */
const lines: GroupReader = {
  name: 'lines',
  recognises: (file) => file.endsWith('.lines'),
  async *read(files) {
    for (const file of files) {
      const chunks = [];
      for await (const chunk of file.open()) chunks.push(chunk);
      for (const [index, text] of Buffer.concat(chunks).toString().split('\n').entries()) yield partOf(file, text, index + 1);
    }
  },
};

function partOf({ file }: Input, text: string, line: number) {
  const [kind = '', bucket = ''] = text.split(' ');
  const location = { file, line, column: 1 };
  if (kind === 'broken') return { type: 'error', error: { code: 'yaml-syntax', message: 'Broken.', location } } as const;
  const group = file.slice(0, file.indexOf('/'));
  const resource: ReadResource = {
    apiVersion: 'terraform',
    kind,
    name: `${kind}.${bucket}`,
    object: { bucket, nested: { deep: 1 } },
    group,
    file,
    position: { line, column: 1 },
    positions: { '/bucket': { line, column: kind.length + 2 } },
  };
  if (bucket === '?') resource.unknown = [{ pointer: '/bucket', reason: 'unknown-value', message: 'var.bucket is not set.', location }];
  return { type: 'resource', resource } as const;
}

const inputsOf = (files: { [file: string]: string }) =>
  Object.entries(files).map(([file, text]) => withReader(textInput(file, text), [lines]));

async function run(files: { [file: string]: string }, threads = 0) {
  const findings: Finding[] = [];
  let end: Extract<EvaluationEvent, { type: 'end' }> | undefined;
  for await (const event of createEngine({ catalogue, clock }).evaluate({ inputs: inputsOf(files), threads })) {
    if (event.type === 'findings') findings.push(...event.batch.findings());
    else end = event;
  }
  return { findings, ...end };
}

const PLAN = (type: string, bucket: string) =>
  JSON.stringify({
    format_version: '1.2',
    planned_values: { root_module: { resources: [{ address: `${type}.${bucket}`, mode: 'managed', type, values: { bucket } }] } },
  });

describe('a group of files', () => {
  it('is read together, and its resources see each other', async () => {
    const { findings, summary } = await run({ 'a/one.lines': 'bucket x', 'a/two.lines': 'companion x' });
    expect(findings).toEqual([]);
    expect(summary?.resources).toBe(2);
  });

  it('sees nothing of another group', async () => {
    const { findings } = await run({ 'a/one.lines': 'bucket x', 'b/two.lines': 'companion x' });
    expect(findings).toMatchObject([{ rule_id: 'AWS-001', location: { file: 'a/one.lines', line: 1, column: 8 }, path: '/bucket' }]);
  });

  it('sees nothing of what is outside groups, which is one cluster', async () => {
    const { findings } = await run({ 'a/one.lines': 'bucket x', 'plan.json': PLAN('companion', 'x') });
    expect(findings).toHaveLength(1);
  });

  it('is a plan of Terraform, of which two never join', async () => {
    expect((await run({ 'one.json': PLAN('bucket', 'x'), 'two.json': PLAN('companion', 'x') })).findings).toHaveLength(1);
  });

  it('gives its errors among those of the run, and everything else', async () => {
    const { errors, summary } = await run({ 'a/one.lines': 'companion x\nbroken\nbucket x' });
    expect(errors).toMatchObject([{ code: 'yaml-syntax', location: { file: 'a/one.lines', line: 2 } }]);
    expect(summary?.resources).toBe(2);
  });

  it('leaves undecided what a value of it decides that is not known, and says where the cause is', async () => {
    const { undecided } = await run({ 'a/one.lines': 'bucket x\ncompanion ?' });
    expect(undecided).toMatchObject([{ path: '/bucket', message: 'var.bucket is not set.', resource: { name: 'bucket.x' } }]);
    const own = await run({ 'a/one.lines': 'bucket ?\ncompanion x' });
    expect(own.undecided).toMatchObject([{ location: { file: 'a/one.lines', line: 1, column: 1 }, path: '/bucket' }]);
  });

  it('is compared like any other input', async () => {
    const side = (text: string) => ({ inputs: inputsOf({ 'a/one.lines': text }) });
    const compared = { current: side('bucket x\ncompanion x'), proposed: side('bucket x') };
    expect(await compareConfigurations(catalogue, compared, clock)).toMatchObject({
      introduced: [{ rule_id: 'AWS-001' }],
      verdict: 'regressed',
    });
  });
});
