import { readFileSync } from 'node:fs';
import AjvDraft04 from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { EVERYTHING, finding, hostileRun, type Run, reported, run } from '../testing/run.test-support.js';
import { sarif } from './sarif.js';

const ajv = new AjvDraft04.default({ strict: false, allErrors: true });
addFormats.default(ajv);
const isValid = ajv.compile(JSON.parse(readFileSync(new URL('../vendor/sarif-schema-2.1.0.json', import.meta.url), 'utf8')));

/** The log of a run, once the published schema has nothing against it. */
async function logOf(of: Run) {
  const log = JSON.parse(await reported(sarif, of));
  isValid(log);
  expect(isValid.errors ?? []).toEqual([]);
  return log.runs[0];
}

describe('the SARIF report', () => {
  it('is valid, and holds rules, results and errors', async () => {
    const { tool, results, invocations, properties } = await logOf(EVERYTHING);
    expect(tool.driver).toMatchObject({ name: 'bylaw', version: '1.2.3' });
    expect(tool.driver.rules[0]).toMatchInlineSnapshot(`
      {
        "defaultConfiguration": {
          "level": "error",
        },
        "fullDescription": {
          "text": "Why it matters: containers do not run privileged.",
        },
        "help": {
          "markdown": "Why it matters: containers do not run privileged.

      **Fix:** Set securityContext.privileged to false.

      - https://kubernetes.io/docs/concepts/security/pod-security-standards/",
          "text": "Why it matters: containers do not run privileged.

      Fix: Set securityContext.privileged to false.",
        },
        "helpUri": "https://kubernetes.io/docs/concepts/security/pod-security-standards/",
        "id": "CS-001",
        "name": "ContainersDoNotRunPrivileged",
        "properties": {
          "category": "CS",
          "security-severity": "9.5",
          "severity": "CRITICAL",
          "tags": [
            "security",
            "container security",
            "PSS-BASELINE",
            "CIS-K8S-1.10:5.2.2",
          ],
        },
        "shortDescription": {
          "text": "Containers do not run privileged",
        },
      }
    `);
    expect(results).toHaveLength(EVERYTHING.findings.length);
    expect(results[0]).toMatchInlineSnapshot(`
      {
        "kind": "fail",
        "level": "error",
        "locations": [
          {
            "logicalLocations": [
              {
                "fullyQualifiedName": "apps/v1/Deployment/shop/web#/spec/template/spec/containers/0/securityContext/privileged",
                "kind": "resource",
                "name": "Deployment shop/web",
              },
            ],
            "physicalLocation": {
              "artifactLocation": {
                "uri": "deploy/web.yaml",
              },
              "region": {
                "startColumn": 9,
                "startLine": 12,
              },
            },
          },
        ],
        "message": {
          "text": "Containers do not run privileged: container "app" does.",
        },
        "partialFingerprints": {
          "bylaw/v1": "fa458660f9860be50ad17c2201e7f0ac",
        },
        "properties": {
          "path": "/spec/template/spec/containers/0/securityContext/privileged",
          "severity": "CRITICAL",
        },
        "ruleId": "CS-001",
        "ruleIndex": 0,
        "suppressions": [],
      }
    `);
    expect(invocations).toMatchInlineSnapshot(`
      [
        {
          "executionSuccessful": false,
          "toolExecutionNotifications": [
            {
              "descriptor": {
                "id": "yaml-syntax",
              },
              "level": "error",
              "locations": [
                {
                  "physicalLocation": {
                    "artifactLocation": {
                      "uri": "broken.yaml",
                    },
                    "region": {
                      "startColumn": 7,
                      "startLine": 3,
                    },
                  },
                },
              ],
              "message": {
                "text": "A tab stands where indentation is expected; use spaces.",
              },
            },
            {
              "descriptor": {
                "id": "path-not-found",
              },
              "level": "error",
              "message": {
                "text": "There is no file or directory nowhere.",
              },
            },
            {
              "descriptor": {
                "id": "exceptions",
              },
              "level": "note",
              "message": {
                "text": "Suppressed: 1 finding (configuration 1) in pods.yaml 1.",
              },
            },
          ],
        },
      ]
    `);
    expect(properties.score).toEqual(EVERYTHING.score);
  });

  it('says of each finding what it is: failing, suppressed, passing, or not to be decided', async () => {
    const { results } = await logOf(EVERYTHING);
    expect(results.map(({ ruleId, kind, level, suppressions }: never) => [ruleId, kind, level, suppressions])).toEqual([
      ['CS-001', 'fail', 'error', []],
      ['CS-002', 'fail', 'warning', []],
      ['CS-001', 'fail', 'error', []],
      [
        'SP-003',
        'fail',
        'error',
        [{ kind: 'external', status: 'accepted', justification: 'rotated daily', properties: { source: 'config', expires: '2027-01-31' } }],
      ],
      ['RL-004', 'pass', 'none', []],
      ['SP-003', 'open', 'none', []],
      ['SP-003', 'fail', 'error', []],
    ]);
  });

  it('gives a security severity to security rules only', async () => {
    const { tool } = await logOf(run([]));
    const severities = tool.driver.rules.map(({ id, properties }: never) => [id, properties['security-severity'], properties['tags'][0]]);
    expect(severities).toEqual([
      ['CS-001', '9.5', 'security'],
      ['CS-002', '5.5', 'security'],
      ['SP-003', '8.0', 'security'],
      ['RL-004', undefined, 'reliability'],
    ]);
  });

  it('percent-encodes relative paths, and writes absolute ones as file addresses', async () => {
    const files = ['./a b/ü%20#1.yaml', '../up.yaml', '/etc/x.yaml', 'C:\\k8s\\x.yaml', 'a:b.yaml'];
    const { results } = await logOf(run(files.map((file) => finding('CS-001', { location: { file, line: 1, column: 1 } }))));
    expect(results.map((result: never) => result['locations'][0]['physicalLocation']['artifactLocation']['uri'])).toEqual([
      'a%20b/%C3%BC%2520%231.yaml',
      '../up.yaml',
      'file:///etc/x.yaml',
      'file:///C:/k8s/x.yaml',
      'a%3Ab.yaml',
    ]);
  });

  it('names the object if a finding does not have a file', async () => {
    const { results } = await logOf(run([finding('CS-001', { location: null })]));
    expect(results[0].locations).toEqual([
      {
        logicalLocations: [
          {
            name: 'Deployment shop/web',
            fullyQualifiedName: 'apps/v1/Deployment/shop/web#/spec/template/spec/containers/0/securityContext/privileged',
            kind: 'resource',
          },
        ],
      },
    ]);
  });

  it('keeps a fingerprint when lines move, and changes it with the place in the object', async () => {
    const { results } = await logOf(
      run([
        finding('CS-001'),
        finding('CS-001', { location: { file: 'deploy/web.yaml', line: 99, column: 1 } }),
        finding('CS-001', { path: '/spec' }),
      ]),
    );
    const [first, moved, other] = results.map((result: never) => result['partialFingerprints']['bylaw/v1']);
    expect(moved).toBe(first);
    expect(other).not.toBe(first);
  });

  it('is valid for hostile names, and makes no links of them', async () => {
    const { results } = await logOf(hostileRun());
    expect(JSON.stringify(results.map(({ message }: never) => message))).not.toContain('](');
  });

  it('is valid for a run without findings, and for rules that are not among the selected', async () => {
    expect((await logOf(run([]))).results).toEqual([]);
    const [result] = (await logOf(run([finding('CS-001', { rule_id: 'XX-999' })]))).results;
    expect(result).not.toHaveProperty('ruleIndex');
  });
});
