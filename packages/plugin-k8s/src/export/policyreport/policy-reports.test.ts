import { readFileSync } from 'node:fs';
import { fixedClock } from '@bylaw/core/clock';
import type { EvaluationEvent, Finding } from '@bylaw/core/evaluate';
import { createEngine } from '@bylaw/core/evaluate';
import { textInput } from '@bylaw/core/resource';
import { loadCatalogue, SEVERITIES } from '@bylaw/core/rule';
import { RULE_PACKS } from '@bylaw/core/testing/rule-packs';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PolicyReport, policyReports, REPORT_APIS, type ReportOptions } from './index.js';

const { schemas } = JSON.parse(readFileSync(new URL('./testing/crd-schemas.json', import.meta.url), 'utf8'));
const ajv = new Ajv({ allErrors: true, strict: false });
const OPTIONS: ReportOptions = { api: 'wgpolicy', name: 'bylaw', namespace: 'default' };

function finding(parts: Omit<Partial<Finding>, 'resource'> & { resource?: Partial<Finding['resource']> } = {}): Finding {
  return {
    rule_id: 'CS-001',
    category: 'CS',
    severity: 'CRITICAL',
    title: 'Containers do not run privileged',
    status: 'fail',
    location: { file: 'web.yaml', line: 7, column: 3 },
    path: '/spec/containers/0',
    message: 'container app runs privileged',
    fix: 'Remove privileged.',
    frameworks: ['PSS-BASELINE'],
    ...parts,
    resource: { api_version: 'v1', kind: 'Pod', namespace: 'shop', name: 'web', ...parts.resource },
  };
}

async function* eventsOf(...findings: Finding[]): AsyncGenerator<EvaluationEvent> {
  yield { type: 'findings', batch: { count: findings.length, findings: () => findings, json: () => '' } };
}

async function reportsOf(events: AsyncIterable<EvaluationEvent>, options: Partial<ReportOptions> = {}): Promise<PolicyReport[]> {
  return Array.fromAsync(policyReports(events, { ...OPTIONS, ...options }));
}

const validators = Object.fromEntries(Object.entries<object>(schemas).map(([kind, schema]) => [kind, ajv.compile(schema)]));

function faultsOf(report: PolicyReport): string {
  const validate = validators[`${report.apiVersion}/${report.kind}`];
  if (validate === undefined) return `there is no ${report.apiVersion}/${report.kind}`;
  return validate(report) ? '' : ajv.errorsText(validate.errors);
}

describe('policy reports', () => {
  it('are one for each namespace, and one for what stands in none', async () => {
    const reports = await reportsOf(
      eventsOf(
        finding({ resource: { namespace: 'shop' } }),
        finding({ resource: { api_version: 'v1', kind: 'PersistentVolume', namespace: null, name: 'pv' } }),
        finding({ resource: { namespace: null } }),
        finding({ resource: { namespace: 'shop', name: 'db' } }),
        finding({ resource: { api_version: 'kyverno.io/v1', kind: 'ClusterPolicy', namespace: null } }),
      ),
    );
    expect(reports.map(({ kind, metadata, summary, scope }) => [kind, metadata.namespace, scope?.name, summary.fail])).toEqual([
      ['ClusterPolicyReport', undefined, undefined, 2],
      ['PolicyReport', 'default', 'default', 1],
      ['PolicyReport', 'shop', 'shop', 2],
    ]);
    expect(reports[1]?.results[0]?.resources).toEqual([{ apiVersion: 'v1', kind: 'Pod', name: 'web', namespace: 'default' }]);
  });

  it.each([
    ['fail', 'CRITICAL', 'fail', true],
    ['fail', 'INFO', 'warn', false],
    ['pass', 'HIGH', 'pass', true],
    ['error', 'LOW', 'error', true],
    ['suppressed', 'HIGH', 'skip', true],
  ] as const)('call a finding with status %s and severity %s %s', async (status, severity, result, scored) => {
    const [report] = await reportsOf(eventsOf(finding({ status, severity })));
    expect(report?.results[0]).toMatchObject({ result, scored, severity: severity.toLowerCase() });
    expect(report?.summary[result]).toBe(1);
  });

  it('say where, why and how to mend it, and by which exception it does not count', async () => {
    const suppression = { source: 'config', reason: 'agreed', expires: '2027-01-01' } as const;
    const [report] = await reportsOf(eventsOf(finding({ status: 'suppressed', suppression })));
    expect(report?.results[0]).toEqual({
      source: 'bylaw',
      policy: 'CS-001',
      category: 'Container security',
      severity: 'critical',
      result: 'skip',
      scored: true,
      message: 'container app runs privileged',
      resources: [{ apiVersion: 'v1', kind: 'Pod', name: 'web', namespace: 'shop' }],
      properties: {
        title: 'Containers do not run privileged',
        path: '/spec/containers/0',
        fix: 'Remove privileged.',
        location: 'web.yaml:7:3',
        frameworks: 'PSS-BASELINE',
        exception: 'config: agreed',
        expires: '2027-01-01',
      },
    });
  });

  it('have a time only where one is given', async () => {
    const [without] = await reportsOf(eventsOf(finding()));
    expect(without?.results[0]).not.toHaveProperty('timestamp');
    const [timed] = await reportsOf(eventsOf(finding()), { time: new Date('2026-11-21T10:00:00.5Z') });
    expect(timed?.results[0]?.timestamp).toEqual({ seconds: 1795255200, nanos: 0 });
  });

  it('come in parts that kubectl can apply', async () => {
    const many = Array.from({ length: 2_000 }, (_, index) => finding({ resource: { name: `web-${index}` }, message: 'x'.repeat(200) }));
    const reports = await reportsOf(eventsOf(...many));
    expect(reports.length).toBeGreaterThan(4);
    expect(reports.map(({ metadata }) => metadata.name)).toEqual(['bylaw', ...reports.slice(1).map((_, index) => `bylaw-${index + 2}`)]);
    for (const report of reports) {
      expect(Buffer.byteLength(JSON.stringify(report))).toBeLessThan(256 * 1024);
      expect(report.summary.fail).toBe(report.results.length);
    }
    expect(reports.flatMap(({ results }) => results.flatMap(({ resources }) => resources.map(({ name }) => name)))).toEqual(
      many.map(({ resource }) => resource.name),
    );
  });

  it.each(Object.keys(REPORT_APIS) as (keyof typeof REPORT_APIS)[])(
    'fit the published definitions, whatever was found: %s',
    async (api) => {
      const text = fc.string({ unit: 'binary', maxLength: 12 });
      const anyFinding = fc.record({
        status: fc.constantFrom('fail', 'pass', 'error', 'suppressed'),
        severity: fc.constantFrom(...SEVERITIES),
        category: fc.oneof(fc.constantFrom('CS', 'constructor', '__proto__'), text),
        message: text,
        path: text,
        resource: fc.record({
          api_version: text,
          kind: text,
          name: text,
          namespace: fc.option(fc.oneof(fc.constantFrom('shop', 'a_b', '-'), text)),
        }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(anyFinding, { maxLength: 8 }), async (list) => {
          const reports = await reportsOf(eventsOf(...list.map((one) => finding(one as Partial<Finding>))), { api }); // its members are those of a finding
          expect(reports.map(faultsOf).join('')).toBe('');
          for (const { metadata } of reports) expect(metadata.namespace ?? 'x').toMatch(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/);
          expect(reports.flatMap(({ results }) => results)).toHaveLength(list.length);
        }),
        { numRuns: 100 },
      );
    },
  );

  it('fit the published definitions: what our rules say of real manifests, the same each time', async () => {
    const catalogue = await loadCatalogue({ packs: RULE_PACKS });
    const engine = createEngine({ catalogue, clock: fixedClock('2026-11-21') });
    const file = new URL('../../../../../examples/manifests/online-boutique/kubernetes-manifests.yaml', import.meta.url);
    const run = () => engine.evaluate({ inputs: [textInput('shop.yaml', readFileSync(file, 'utf8'))], threads: 0 });
    for (const api of ['wgpolicy', 'openreports'] as const) {
      const reports = await reportsOf(run(), { api });
      expect(reports.length).toBeGreaterThan(0);
      expect(reports.map(faultsOf).join('')).toBe('');
      expect(JSON.stringify(reports)).toBe(JSON.stringify(await reportsOf(run(), { api })));
    }
  });
});
