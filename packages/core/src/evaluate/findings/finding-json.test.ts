import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Finding } from './finding.js';
import { findingJson } from './finding-json.js';

const text = fc.string({ unit: 'binary', maxLength: 12 });
const finding: fc.Arbitrary<Finding> = fc
  .record({
    rule_id: fc.constantFrom('A-001', 'A-002'),
    category: fc.constantFrom('A', 'B'),
    severity: fc.constantFrom('HIGH', 'LOW'),
    title: fc.constantFrom('one', 'two "quoted"'),
    status: fc.constantFrom('fail', 'pass', 'error', 'suppressed'),
    resource: fc.record({ api_version: text, kind: text, namespace: fc.option(text), name: text }),
    location: fc.option(
      fc.record({ file: text, line: fc.nat(), column: fc.nat(), rendered_from: text }, { requiredKeys: ['file', 'line', 'column'] }),
    ),
    path: text,
    message: text,
    fix: fc.constantFrom('mend', 'mend\nit'),
    frameworks: fc.constantFrom<string[]>([], ['X:1', 'Y']),
    suppression: fc.option(fc.record({ source: fc.constantFrom('comment', 'config'), reason: text }), { nil: undefined }),
    would_be_suppressed: fc.option(
      fc.record({ source: fc.constantFrom('comment', 'config'), reason: text, ignored_because: fc.constant('policy_from') }),
      { nil: undefined },
    ),
    caused_by: fc.option(text, { nil: undefined }),
  })
  .map(({ suppression, would_be_suppressed, caused_by, ...rest }) => ({
    ...rest,
    ...(suppression && { suppression }),
    ...(would_be_suppressed && { would_be_suppressed }),
    ...(caused_by !== undefined && { caused_by }),
  }));

describe('a finding as JSON', () => {
  it('is what JSON.stringify writes, whatever was written before', () => {
    fc.assert(
      fc.property(fc.array(finding, { minLength: 1, maxLength: 6 }), (findings) => {
        for (const one of findings) expect(findingJson(one)).toBe(JSON.stringify(one));
      }),
      { numRuns: 5000 },
    );
  });
});
