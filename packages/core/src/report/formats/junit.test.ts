import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { EVERYTHING, finding, hostileRun, reported, run } from '../testing/run.test-support.js';
import { junit } from './junit.js';

/** Parses strictly: any fault of well-formedness, or a character that XML forbids, throws. */
function elements(xml: string): { name: string; attributes: Record<string, string> }[] {
  const found: { name: string; attributes: Record<string, string> }[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => found.push({ name, attributes }));
  parser.write(xml).close();
  return found;
}

describe('the JUnit report', () => {
  it('has a suite per file and a case per resource and rule', async () => {
    expect(await reported(junit, EVERYTHING)).toMatchInlineSnapshot(`
      "<?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="bylaw">
      <testsuite name="deploy/web.yaml" tests="2" failures="2" errors="0" skipped="0">
      <testcase name="CS-001 Containers do not run privileged" classname="Deployment shop/web" file="deploy/web.yaml" line="12"><failure message="Containers do not run privileged: container &quot;app&quot; does." type="CRITICAL">deploy/web.yaml:12:9 Containers do not run privileged: container &quot;app&quot; does.
      Set securityContext.privileged to false.</failure></testcase>
      <testcase name="CS-002 Containers forbid privilege escalation" classname="Deployment shop/web" file="deploy/web.yaml" line="12"><failure message="Container &quot;app&quot; may gain more privileges than its parent." type="MEDIUM">deploy/web.yaml:12:9 Container &quot;app&quot; may gain more privileges than its parent.
      Set allowPrivilegeEscalation: false on every container.</failure></testcase>
      </testsuite>
      <testsuite name="pods.yaml" tests="3" failures="1" errors="1" skipped="0">
      <testcase name="CS-001 Containers do not run privileged" classname="Pod debug" file="pods.yaml" line="3"><failure message="Containers do not run privileged: container &quot;app&quot; does." type="CRITICAL">pods.yaml:3:1 Containers do not run privileged: container &quot;app&quot; does.
      Set securityContext.privileged to false.</failure></testcase>
      <testcase name="SP-003 Secrets are not literals in manifests" classname="Deployment shop/web" file="pods.yaml" line="40"><error message="no such overload: int + string" type="HIGH">pods.yaml:40:1 no such overload: int + string</error></testcase>
      <testcase name="RL-004 Deployments run more than one replica" classname="Deployment shop/web" file="pods.yaml" line="31"/>
      </testsuite>
      <testsuite name="Without a file" tests="1" failures="1" errors="0" skipped="0">
      <testcase name="SP-003 Secrets are not literals in manifests" classname="module.logs.aws_s3_bucket.this[0]"><failure message="The access key is written into the resource." type="HIGH">module.logs.aws_s3_bucket.this[0] The access key is written into the resource.
      Read the value from a Secret.</failure></testcase>
      </testsuite>
      <testsuite name="input errors" tests="2" failures="0" errors="2" skipped="0">
      <testcase name="yaml-syntax" classname="broken.yaml" file="broken.yaml" line="3"><error message="A tab stands where indentation is expected; use spaces." type="yaml-syntax">broken.yaml:3:7</error></testcase>
      <testcase name="path-not-found" classname="input"><error message="There is no file or directory nowhere." type="path-not-found">input</error></testcase>
      </testsuite>
      <testsuite name="exceptions" tests="1" failures="0" errors="0" skipped="1">
      <testcase name="exceptions" classname="exceptions"><skipped message="Suppressed: 1 finding (configuration 1) in pods.yaml 1."/></testcase>
      </testsuite>
      </testsuites>
      "
    `);
  });

  it('joins the findings of one rule on one resource in one case', async () => {
    const xml = await reported(
      junit,
      run([finding('CS-001', { message: 'first' }), finding('CS-002'), finding('CS-001', { message: 'second' })]),
    );
    const cases = elements(xml).filter(({ name }) => name === 'testcase');
    expect(cases.map(({ attributes }) => attributes['name'])).toEqual([
      'CS-001 Containers do not run privileged',
      'CS-002 Containers forbid privilege escalation',
    ]);
    expect(xml).toContain('deploy/web.yaml:12:9 first\ndeploy/web.yaml:12:9 second\n');
  });

  it('fails a case of which only one finding is suppressed', async () => {
    const findings = [finding('CS-001', { status: 'suppressed', suppression: { source: 'comment', reason: 'known' } }), finding('CS-001')];
    expect(elements(await reported(junit, run(findings)))[1]?.attributes).toMatchObject({ tests: '1', failures: '1', skipped: '0' });
  });

  it('counts each suite right, one that is cut because of its length included', async () => {
    const findings = Array.from({ length: 4_500 }, (_, i) =>
      finding('CS-001', { resource: { api_version: 'v1', kind: 'Pod', namespace: null, name: `p${i}` } }),
    );
    const found = elements(await reported(junit, run(findings), {}, [10, 2_345]));
    const suites = found.filter(({ name }) => name === 'testsuite');
    expect(suites.map(({ attributes }) => attributes['tests'])).toEqual(['2000', '2000', '500']);
    expect(found.filter(({ name }) => name === 'testcase')).toHaveLength(4_500);
  });

  it('has one passing case if there is nothing to report, because CI systems refuse an empty report', async () => {
    expect(elements(await reported(junit, run([]))).map(({ name, attributes }) => [name, attributes['name']])).toEqual([
      ['testsuites', 'bylaw'],
      ['testsuite', 'bylaw'],
      ['testcase', '4 rules, 3 resources: no findings'],
    ]);
  });

  it('stays well-formed for hostile names', async () => {
    const names = new Set(elements(await reported(junit, hostileRun())).map(({ name }) => name));
    expect([...names].sort()).toEqual(['error', 'failure', 'skipped', 'testcase', 'testsuite', 'testsuites']);
  });
});
