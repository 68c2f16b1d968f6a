import { describe, expect, it } from 'vitest';
import { fixedClock } from '../clock.js';
import { compareConfigurations } from '../evaluate/compare.js';
import { createEngine, type EvaluationRequest } from '../evaluate/engine.js';
import { limitEvents } from '../evaluate/limit-lists.js';
import { textInput } from '../resource/index.js';
import { catalogueOf, packInMemory, type RuleDetail } from '../rule/index.js';
import { eventsOf, FORMATS, type Format, REPORTERS, reportOf } from './index.js';

function rule(
  id: string,
  logic: Partial<RuleDetail['logic'][number]> & { expression: string },
  more: Partial<RuleDetail> = {},
): RuleDetail {
  const targets = more.targets ?? ['aws_s3_bucket'];
  return {
    id,
    category: id.slice(0, id.indexOf('-')),
    severity: 'HIGH',
    title: `Title of ${id}`,
    description: 'Why.',
    targets,
    logic: [{ targets, ...logic }],
    fix: 'Fix it.',
    frameworks: [],
    references: [],
    peers: [],
    examples: [],
    ...more,
  };
}

const APPLY = 'The value is known only after apply.';

interface Planned {
  address: string;
  values?: object;
  unknown?: object | true;
  type?: string;
}

function plan(...resources: Planned[]): string {
  return JSON.stringify(
    {
      format_version: '1.2',
      planned_values: {
        root_module: {
          resources: resources.map(({ address, values = {}, type = 'aws_s3_bucket' }) => ({ address, mode: 'managed', type, values })),
        },
      },
      resource_changes: resources.map(({ address, unknown = {} }) => ({
        address,
        change: { actions: ['create'], after_unknown: unknown },
      })),
    },
    null,
    1,
  );
}

function catalogue(rules: RuleDetail[]) {
  return catalogueOf([packInMemory({ name: 'p', settings: {}, constants: {}, rules })], { packs: [], ruleDirs: [] });
}

function events(rules: RuleDetail[], text: string, request: Partial<EvaluationRequest> = {}) {
  const engine = createEngine({ catalogue: catalogue(rules), clock: fixedClock('2026-01-01T00:00:00Z') });
  return engine.evaluate({ inputs: [textInput('plan.json', text)], threads: 0, ...request });
}

const run = async (...of: Parameters<typeof events>) => reportOf(events(...of));

async function written(format: Format, from: ReturnType<typeof events>, rules: RuleDetail[] = []): Promise<string> {
  const chunks: string[] = [];
  const context = { version: '0', rules: catalogue(rules).rules, colour: false, width: 100, verbose: false };
  await REPORTERS[format].report(from, { write: (chunk) => void chunks.push(chunk) }, context);
  return chunks.join('');
}

const PRIVATE = rule('AWS-001', { expression: 'object.?acl.orValue("private") == "private"', path: '/acl' });
const BUCKET = { address: 'aws_s3_bucket.a', values: { bucket: 'a' }, unknown: { acl: true, arn: true } };

describe('a rule that needs a value which is known only after apply', () => {
  it('is undecided: no finding, but an entry with the reason and the place', async () => {
    const text = plan(BUCKET);
    const { findings, errors, undecided, summary } = await run([PRIVATE], text);
    expect([findings, errors]).toEqual([[], []]);
    expect(undecided).toEqual([
      {
        rule_id: 'AWS-001',
        category: 'AWS',
        severity: 'HIGH',
        title: 'Title of AWS-001',
        resource: { api_version: 'terraform', kind: 'aws_s3_bucket', namespace: null, name: 'aws_s3_bucket.a' },
        location: {
          file: 'plan.json',
          line: text.split('\n').findIndex((line) => line.includes('"values"')) + 1,
          column: expect.any(Number),
        },
        path: '/acl',
        reason: 'unknown-value',
        message: APPLY,
      },
    ]);
    expect(summary).toMatchObject({
      findings: 0,
      errors: 0,
      undecided: { checks: 1, reasons: [{ reason: 'unknown-value', message: APPLY, count: 1 }], more_reasons: 0 },
    });
  });

  it('is not if it decides without the value', async () => {
    const rules = [
      rule('AWS-002', { expression: 'object.bucket == "a" || object.acl == "private"' }),
      rule('AWS-003', { expression: 'object.acl == "private" && object.bucket == "b"' }),
      rule('AWS-004', { when: 'object.acl == "public"', expression: 'object.bucket == "a"' }),
    ];
    const { findings, undecided, summary } = await run(rules, plan(BUCKET));
    expect(findings.map(({ rule_id }) => rule_id)).toEqual(['AWS-003']);
    expect([undecided, summary.undecided]).toEqual([undefined, undefined]);
  });

  it('is if the value decides whether the rule applies, and the rule would fail', async () => {
    const { undecided } = await run(
      [rule('AWS-004', { when: 'object.acl == "public"', expression: 'object.bucket == "b"' })],
      plan(BUCKET),
    );
    expect(undecided).toHaveLength(1);
  });

  it('is for the list of its items, and for an item, next to which others pass', async () => {
    const each = rule('AWS-005', {
      each: 'list(object.?rule)',
      expression: 'item.?open.orValue(false) == false',
      message: 'text(item.?name)',
    });
    const open = { open: true, name: 'a' };
    const undecided = async (values: object, unknown: object) =>
      (await run([each], plan({ address: 'aws_s3_bucket.a', values, unknown }))).undecided;
    expect(await undecided({}, { rule: true })).toMatchObject([{ path: '/rule' }]);
    expect(await undecided({ rule: [{}, {}] }, { rule: [{}, { open: true }] })).toMatchObject([{ path: '/rule/1/open' }]);
    expect(await undecided({ rule: [{}, null] }, { rule: [{}, true] })).toMatchObject([{ path: '/rule/1' }]);
    // It fails whatever the other item is.
    const failing = await run(
      [each],
      plan({ address: 'aws_s3_bucket.a', values: { rule: [{}, open] }, unknown: { rule: [{ open: true }, {}] } }),
    );
    expect(failing.findings).toMatchObject([{ path: '/rule/1', message: 'a' }]);
    expect(failing.undecided).toBeUndefined();
  });

  it('fails with its title if only the message needs the value', async () => {
    const { findings, undecided } = await run(
      [rule('AWS-006', { expression: 'object.bucket == "b"', message: '"the ACL is " + show(object.?acl)' })],
      plan(BUCKET),
    );
    expect(findings).toMatchObject([{ status: 'fail', message: 'Title of AWS-006' }]);
    expect(undecided).toBeUndefined();
  });

  it('is undecided on a value of another resource, and is located on its own', async () => {
    const joined = rule(
      'AWS-007',
      { expression: 'resources.ofKind("aws_s3_bucket_acl").all(a, a.?acl.orValue("private") == "private")', path: '/bucket' },
      { targets: ['aws_s3_bucket +set'], set: { aws_s3_bucket_acl: ['/acl'] } },
    );
    const acl = { address: 'aws_s3_bucket_acl.x', type: 'aws_s3_bucket_acl', unknown: { acl: true, id: true } };
    expect((await run([joined], plan(BUCKET, acl))).undecided).toMatchObject([{ resource: { name: 'aws_s3_bucket.a' }, path: '/bucket' }]);
    const known = { ...acl, values: { acl: 'private' }, unknown: { id: true } };
    expect((await run([joined], plan(BUCKET, known))).undecided).toBeUndefined();
  });

  it('is not covered by exceptions and does not enter a baseline', async () => {
    const keys: string[] = [];
    const request = {
      exceptions: [{ rule: 'AWS-*', reason: 'accepted' }],
      onBaselineKeys: (more: readonly string[]) => void keys.push(...more),
    };
    const { summary } = await run([PRIVATE], plan(BUCKET), request);
    expect(summary).toMatchObject({ suppressed: 0, undecided: { checks: 1 } });
    expect(keys).toEqual([]);
  });
});

describe('a run with undecided checks', () => {
  const plain = rule('AWS-008', { expression: 'object.bucket == "a"' });

  it('lowers the low end of the score only', async () => {
    const { score } = await run([PRIVATE, plain], plan(BUCKET));
    expect(score).toMatchObject({ overall: 100, high: 100, score_without_waivers: 100, low: 89 });
  });

  it('has no score if nothing is decided, because silence is not a pass', async () => {
    const { score } = await run([PRIVATE], plan(BUCKET));
    expect(score).toMatchObject({ overall: null, by_category: { AWS: null }, grade: null, low: null, high: null });
  });

  it('passes no control that an undecided rule supports', async () => {
    const cited = { ...PRIVATE, frameworks: ['X-1.0:1.1'] };
    const { compliance } = await run([cited, plain], plan(BUCKET), { includeCompliance: true });
    expect(compliance?.frameworks[0]?.controls).toMatchObject([{ id: '1.1', status: 'not-checked', reason: 'rule-undecided' }]);
  });

  it('reports them, leaves them out, or fails, as it is told', async () => {
    const [ignored, warned, failed] = await Promise.all(
      (['ignore', 'warn', 'fail'] as const).map((undecided) => run([PRIVATE, plain], plan(BUCKET), { undecided })),
    );
    expect(ignored).not.toHaveProperty('undecided');
    expect(ignored?.summary).not.toHaveProperty('undecided');
    expect([ignored?.errors, warned?.errors]).toEqual([[], []]);
    expect(failed?.errors).toEqual([
      { code: 'checks-undecided', message: `1 check could not be decided. 1 of them: ${APPLY}`, location: null },
    ]);
    expect(failed?.undecided).toEqual(warned?.undecided);
    expect(failed?.score).toEqual(ignored?.score);
  });

  it('gives the same bytes when its report comes back from a server', async () => {
    const resources = Array.from({ length: 600 }, (_, index) => ({ ...BUCKET, address: `aws_s3_bucket.b${index}` }));
    const text = plan(...resources);
    const local = await written('json', events([PRIVATE, plain], text));
    expect(JSON.parse(local).undecided).toHaveLength(600);
    expect(await written('json', eventsOf(JSON.parse(local)))).toBe(local);
  });

  it('lists at most as many as it is told, and counts all', async () => {
    const resources = Array.from({ length: 30 }, (_, index) => ({ ...BUCKET, address: `aws_s3_bucket.b${index}` }));
    const { undecided, summary, truncated } = await reportOf(limitEvents(events([PRIVATE], plan(...resources)), 4));
    expect(undecided).toHaveLength(4);
    expect(summary.undecided?.checks).toBe(30);
    expect(truncated).toEqual({ undecided: { shown: 4, total: 30 } });
  });

  it.each(FORMATS.filter((format) => format !== 'gitlab'))('says so in the format %s, and names no failure', async (format) => {
    const text = await written(format, events([PRIVATE, plain], plan(BUCKET)), [PRIVATE, plain]);
    expect(text).toContain(APPLY);
    if (['text', 'markdown', 'html', 'github'].includes(format)) expect(text).toMatch(/PASS.*no findings; 1 check undecided/);
  });

  it('gives open results in SARIF', async () => {
    const text = await written('sarif', events([PRIVATE], plan(BUCKET)), [PRIVATE]);
    expect(JSON.parse(text).runs[0].results).toMatchObject([
      {
        ruleId: 'AWS-001',
        ruleIndex: 0,
        kind: 'open',
        level: 'none',
        message: { text: APPLY },
        properties: { reason: 'unknown-value', path: '/acl' },
      },
    ]);
  });
});

describe('a comparison of two plans', () => {
  const compare = async (current: Planned, proposed: Planned, request: { undecided?: 'ignore' | 'warn' | 'fail' } = {}) => {
    const side = (planned: Planned) => ({ inputs: [textInput('plan.json', plan(planned))] });
    const all = { current: side(current), proposed: side(proposed), ...request };
    return compareConfigurations(catalogue([PRIVATE]), all, fixedClock('2026-01-01T00:00:00Z'));
  };
  const address = 'aws_s3_bucket.a';
  const failing = { address, values: { acl: 'public' } };
  const open = { address, unknown: { acl: true } };
  const passing = { address, values: { acl: 'private' } };

  it('introduces what could not be decided before and fails now', async () => {
    expect(await compare(open, failing)).toMatchObject({ introduced: [{ rule_id: 'AWS-001' }], verdict: 'regressed', unchanged: 0 });
  });

  it('resolves no failure that cannot be decided any more', async () => {
    const comparison = await compare(failing, open);
    expect(comparison).toMatchObject({ introduced: [], resolved: [], unchanged: 1, verdict: 'unchanged' });
    expect(comparison).toMatchObject({ undecided: [{ path: '/acl' }], undecided_counts: { proposed: { checks: 1 } } });
    expect(comparison.undecided_counts).not.toHaveProperty('current');
  });

  it('resolves a failure that is gone', async () => {
    const comparison = await compare(failing, passing);
    expect(comparison).toMatchObject({ resolved: [{ rule_id: 'AWS-001' }], unchanged: 0, verdict: 'improved' });
    expect(comparison).not.toHaveProperty('undecided');
    expect(comparison).not.toHaveProperty('undecided_counts');
  });

  it('is incomplete if the proposed side must be decided and is not', async () => {
    expect((await compare(passing, open, { undecided: 'fail' })).verdict).toBe('incomplete');
    expect((await compare(open, passing, { undecided: 'fail' })).verdict).toBe('unchanged');
    expect(await compare(passing, open, { undecided: 'ignore' })).not.toHaveProperty('undecided_counts');
  });
});
