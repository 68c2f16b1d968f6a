import { describe, expect, it } from 'vitest';
import { EVERYTHING, finding, hostileRun, reported, run, SCAN } from '../testing/run.test-support.js';
import { text } from './text.js';

describe('the text report', () => {
  it('groups the findings of objects that do not come from files by resource', async () => {
    expect(await reported(text, SCAN)).toMatchInlineSnapshot(`
      "
      CRITICAL  2 findings

        Deployment shop/web
          CS-001   Containers do not run privileged: container "app" does.
                   fix: Set securityContext.privileged to false.

        Pod shop/debug
          CS-001   Containers do not run privileged: container "app" does.

      MEDIUM  1 finding

        Deployment shop/web
          CS-002   Containers forbid privilege escalation: container "app" does.
                   fix: Set allowPrivilegeEscalation: false on every container.

      Errors (1)

        A field is missing or has a value of the wrong type, or the kind does not exist.
          Pod shop/debug: /spec is not a mapping. (malformed)

      Summary

        Cluster dev (v1.34.1), all namespaces.
        3 findings in 3 resources, checked by 4 rules; 1 error.

        CRITICAL  2  ━━━━━━━━━━━━━━━━━━━━━━━━
        HIGH      0
        MEDIUM    1  ━━━━━━━━━━━━
        LOW       0
        INFO      0

        Category                 Findings  Score
        CS   Container security         3   77.9
        SP   Secrets                    0   90.5
        RL   Reliability                0      –

        Score  69 of 100, grade D
               capped at 69 by 2 critical findings

        INCOMPLETE  1 error; 2 critical (threshold HIGH)
      "
    `);
  });

  it('says how many findings in files could be fixed, and how many of them would need a test', async () => {
    const rendered = finding('CS-001', { location: { file: 'a.yaml', line: 1, column: 1, rendered_from: 'chart' } });
    const findings = [
      finding('CS-001'),
      finding('CS-002'),
      finding('CS-001', { status: 'suppressed' }),
      rendered,
      finding('CS-001', { location: null }),
    ];
    const fixable = (safe: string[], unsafe: string[]) =>
      reported(text, run(findings), { fixable: { safe: new Set(safe), unsafe: new Set(unsafe) } });
    expect(await fixable(['CS-001'], [])).toContain('\n  --fix can fix 1 finding.\n');
    expect(await fixable(['CS-001'], ['CS-002'])).toContain('\n  --fix can fix 1 finding; --fix-unsafe 1 more, to be tested afterwards.\n');
    expect(await fixable([], ['CS-002'])).toContain('\n  --fix-unsafe can fix 1 finding, to be tested afterwards.\n');
    expect(await reported(text, run(findings))).not.toContain('--fix');
  });

  it('groups findings by file and resource, then shows what was not evaluated, what is suppressed, the summary and the score', async () => {
    expect(await reported(text, EVERYTHING)).toMatchInlineSnapshot(`
      "
      CRITICAL  2 findings

      deploy/web.yaml

        Deployment shop/web
          CS-001   12:9     Containers do not run privileged: container "app" does.
                            fix: Set securityContext.privileged to false.

      pods.yaml

        Pod debug
          CS-001   3:1      Containers do not run privileged: container "app" does.
                            fix: Set securityContext.privileged to false.

      HIGH  1 finding

        module.logs.aws_s3_bucket.this[0]
          SP-003   The access key is written into the resource.
                   fix: Read the value from a Secret.

      MEDIUM  1 finding

      deploy/web.yaml

        Deployment shop/web
          CS-002   12:9     Container "app" may gain more privileges than its parent.
                            fix: Set allowPrivilegeEscalation: false on every container.

      NOT EVALUATED  1 rule could not be evaluated on a resource

      pods.yaml

        Deployment shop/web
          SP-003   40:1     no such overload: int + string

      Errors (2)

        broken.yaml:3:7
          A tab stands where indentation is expected; use spaces. (yaml-syntax)
        A path given on the command line does not exist.
          There is no file or directory nowhere. (path-not-found)

      Suppressed (1)

             1  SP-003   rotated daily (config, until 2027-01-31)

      Summary

        4 findings in 3 resources, checked by 4 rules; 1 suppressed, 3 errors.
        Suppressed: 1 finding (configuration 1) in pods.yaml 1.

        CRITICAL  2  ━━━━━━━━━━━━━━━━━━━━━━━━
        HIGH      1  ━━━━━━━━━━━━
        MEDIUM    1  ━━━━━━━━━━━━
        LOW       0
        INFO      0

        Category                 Findings  Score
        CS   Container security         3   77.9
        SP   Secrets                    1   90.5
        RL   Reliability                0      –

        Score  69 of 100, grade D
               capped at 69 by 2 critical findings; 64.2 without exceptions; 48.4 to 69 once unknown
               values are known; 92.3 % of the input could be read

        INCOMPLETE  3 errors; 2 critical, 1 high (threshold HIGH)
      "
    `);
  });

  it('says so if there are no findings', async () => {
    expect(await reported(text, run([]))).toMatchInlineSnapshot(`
      "
      Summary

        No findings in 3 resources, checked by 4 rules.

        Score  69 of 100, grade D

        PASS  no findings
      "
    `);
  });

  it('shows only errors if nothing could be evaluated', async () => {
    const nothing = run([], { errors: EVERYTHING.errors });
    nothing.summary.resources = 0;
    nothing.score = { overall: null, by_category: {}, grade: null, score_without_waivers: null, coverage: 0, low: null, high: null };
    expect(await reported(text, nothing)).toMatchInlineSnapshot(`
      "
      Errors (2)

        broken.yaml:3:7
          A tab stands where indentation is expected; use spaces. (yaml-syntax)
        A path given on the command line does not exist.
          There is no file or directory nowhere. (path-not-found)

      Summary

        No resource was read; 2 errors.

        Score  none
               no score: less than half of the input could be read; 0 % of the input could be read

        INCOMPLETE  2 errors; no findings
      "
    `);
  });

  it('puts the message on a line of its own on a narrow terminal, and never exceeds its width', async () => {
    const narrow = await reported(text, EVERYTHING, { width: 50 });
    expect(narrow).toContain('    CS-001   12:9\n      Containers do not run privileged: container');
    for (const line of narrow.split('\n')) expect(line.length).toBeLessThanOrEqual(50);
  });

  it('wraps between words only, so that an image name can be copied', async () => {
    const image = `registry.example/${'team/'.repeat(12)}app:1.2.3`;
    const written = await reported(text, run([finding('CS-001', { message: `Container "app" runs ${image} as root.` })]), { width: 80 });
    expect(written.split('\n').map((line) => line.trim())).toEqual(
      expect.arrayContaining(['CS-001   12:9     Container "app" runs', image, 'as root.']),
    );
  });

  const many = (rule: string, length: number) =>
    Array.from({ length }, (_, i) => finding(rule, { location: { file: `${rule}.yaml`, line: i + 1, column: 1 } }));

  it('lists what is critical or high in full, whatever their number', async () => {
    const written = await reported(text, run([...many('CS-001', 300), ...many('SP-003', 300)]));
    expect(written.match(/^ {4}CS-001 /gm)).toHaveLength(300);
    expect(written.match(/^ {4}SP-003 /gm)).toHaveLength(300);
    expect(written).not.toContain('not listed');
  });

  it('counts what is critical beyond 10,000', async () => {
    const written = await reported(text, run(many('CS-001', 10_007)));
    expect(written.match(/^ {4}CS-001 /gm)).toHaveLength(10_000);
    expect(written).toContain('7 more findings not listed. --format json lists every finding.');
  });

  it('lists up to a hundred of medium severity in full, and of more the first five of each rule', async () => {
    expect((await reported(text, run(many('CS-002', 100)))).match(/^ {4}CS-002 /gm)).toHaveLength(100);
    const large = run(many('CS-002', 101));
    const written = await reported(text, large);
    expect(written.match(/^ {4}CS-002 /gm)).toHaveLength(5);
    expect(written).toContain('96 more findings not listed. The first 5 of each rule are listed; --verbose lists all.');
    expect((await reported(text, large, { verbose: true })).match(/^ {4}CS-002 /gm)).toHaveLength(101);
  });

  it('folds what is low to a line for each rule, and hides what is informational, unless everything is wanted', async () => {
    const info = many('RL-004', 12).map((one) => ({ ...one, rule_id: 'CS-034', severity: 'INFO' as const }));
    const subject = run([...many('RL-004', 17), ...info]);
    const written = await reported(text, subject);
    expect(written).toContain('    RL-004     17×  Deployments run more than one replica (RL-004.yaml:1:1)\n');
    expect(written).toContain('\n12 informational findings are hidden; --verbose shows them.\n');
    expect(written).not.toContain('CS-034');
    const all = await reported(text, subject, { verbose: true });
    expect(all.match(/^ {4}RL-004 /gm)).toHaveLength(17);
    expect(all.match(/^ {4}CS-034 /gm)).toHaveLength(12);
    expect(all).not.toContain('hidden');
  });

  it('puts the most severe first, whatever comes first in the files', async () => {
    const written = await reported(text, run([...many('RL-004', 3), ...many('CS-002', 2), ...many('CS-001', 1)]));
    expect(written.match(/^[A-Z]+(?= {2}\d)/gm)).toEqual(['CRITICAL', 'MEDIUM', 'LOW']);
  });

  it('says the fix of a rule once for each file', async () => {
    const at = (file: string, line: number) => finding('CS-001', { location: { file, line, column: 1 } });
    const written = await reported(text, run([at('a.yaml', 1), at('a.yaml', 2), at('b.yaml', 1)]));
    expect(written.match(/fix: /g)).toHaveLength(2);
  });

  it('shows findings with the same cause with their cause', async () => {
    const path = '/spec/containers/0';
    const written = await reported(
      text,
      run([
        finding('CS-002', { path, caused_by: 'CS-001' }),
        finding('RL-004', { path, caused_by: 'CS-001' }),
        finding('CS-001', { path }),
      ]),
    );
    expect(written).toContain('same cause: CS-002, RL-004\n');
    expect(written).not.toMatch(/^ {4}CS-002/m);
    expect(written).toContain('3 findings in 3 resources, checked by 4 rules; 2 shown with their cause.');
  });

  it('names what no rule covers, scores only what was checked, and repeats the notes', async () => {
    const subject = run([]);
    subject.summary.resources = 72;
    subject.summary.unchecked = Array.from({ length: 12 }, (_, i) => ({ kind: `example.org/Kind${i}`, count: i === 0 ? 58 : 1 }));
    subject.score = { ...subject.score, overall: 100, grade: null, score_without_waivers: 100, low: 100, high: 100 };
    subject.notes = [
      { code: 'category-not-installed', message: 'No rule of category NS (Network) is installed.', count: 1, first: ['NS'] },
    ];
    expect(await reported(text, subject, { width: 120 })).toMatchInlineSnapshot(`
      "
      Notes

        - No rule of category NS (Network) is installed.

      Summary

        No findings; 3 of 72 resources checked by 4 rules.
        Not checked: 69 resources of kinds no rule covers: example.org/Kind0 58, example.org/Kind1 1, example.org/Kind2 1,
        example.org/Kind3 1, example.org/Kind4 1, example.org/Kind5 1, example.org/Kind6 1, example.org/Kind7 1,
        example.org/Kind8 1, example.org/Kind9 1 and 2 more kinds.

        Score  100 for 3 of 72 resources; 69 not checked

        PASS  69 of 72 resources not checked; no findings
      "
    `);
  });

  it('says what caps a score', async () => {
    expect(await reported(text, run(many('CS-001', 3)))).toContain('capped at 69 by 3 critical findings');
  });

  it('ends with the verdict, whose threshold is that of the run', async () => {
    const lastLine = async (threshold: 'CRITICAL' | 'HIGH' | 'NONE', subject = run(many('SP-003', 2))) =>
      (await reported(text, subject, { threshold })).trimEnd().split('\n').at(-1);
    expect(await lastLine('HIGH')).toBe('  FAIL  2 high (threshold HIGH)');
    expect(await lastLine('CRITICAL')).toBe('  PASS  nothing at or above CRITICAL: 2 high');
    expect(await lastLine('NONE')).toBe('  PASS  2 high (no threshold)');
    expect(await lastLine('NONE', EVERYTHING)).toMatch(/^ {2}INCOMPLETE {2}3 errors; /);
  });

  it('writes colours only where they are wanted, and only its own', async () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
    const colours = /\u001b\[\d+m/g;
    expect(await reported(text, EVERYTHING)).not.toMatch(colours);
    const coloured = await reported(text, hostileRun(), { colour: true });
    expect(coloured).toMatch(colours);
    expect(coloured.replace(colours, '')).not.toContain('\u001b');
    expect(coloured.replace(colours, '')).toBe(await reported(text, hostileRun()));
  });
});
