import { describe, expect, it } from 'vitest';
import { EVERYTHING, finding, hostileRun, reported, run, SCAN } from './testing/run.js';
import { text } from './text.js';

describe('the text report', () => {
  it('groups the findings of objects that stand in no file by resource', async () => {
    expect(await reported(text, SCAN)).toMatchInlineSnapshot(`
      "
        Deployment shop/web
          CRITICAL  CS-001   Containers do not run privileged: container "app" does.
                             fix: Set securityContext.privileged to false.
          MEDIUM    CS-002   Containers forbid privilege escalation: container "app" does.
                             fix: Set allowPrivilegeEscalation: false on every container.

        Pod shop/debug
          CRITICAL  CS-001   Containers do not run privileged: container "app" does.

      Errors (1)

        A field is missing or has a value of the wrong type, or there is no such kind.
          Pod shop/debug: /spec is no mapping. (malformed)

      Summary

        Cluster dev (v1.34.1), all namespaces.
        3 findings in 3 resources, judged by 4 rules; 1 error.

        CRITICAL  2  ━━━━━━━━━━━━━━━━━━━━━━━━
        HIGH      0
        MEDIUM    1  ━━━━━━━━━━━━
        LOW       0
        INFO      0

        Category                 Findings  Score
        CS   Container security         3   77.9
        SP   Secrets                    0   90.5
        RL   Reliability                0      –

        Findings  by rule
               2  CRITICAL  CS-001   Containers do not run privileged
               1  MEDIUM    CS-002   Containers forbid privilege escalation

        Score  69 of 100, grade D
      "
    `);
  });

  it('says how many findings in files could be mended', async () => {
    const rendered = finding('CS-001', { location: { file: 'a.yaml', line: 1, column: 1, rendered_from: 'chart' } });
    const findings = [
      finding('CS-001'),
      finding('CS-002'),
      finding('CS-001', { status: 'suppressed' }),
      rendered,
      finding('CS-001', { location: null }),
    ];
    const fixable = new Set(['CS-001']);
    expect(await reported(text, run(findings), { fixable })).toContain('\n  1 finding has a fix that --fix makes where it is safe.\n');
    expect(await reported(text, run(findings))).not.toContain('--fix');
  });

  it('groups findings by file and resource, then says what was not judged, what is suppressed, the summary and the score', async () => {
    expect(await reported(text, EVERYTHING)).toMatchInlineSnapshot(`
      "
      deploy/web.yaml

        Deployment shop/web
          CRITICAL  CS-001   12:9     Containers do not run privileged: container "app" does.
                                      fix: Set securityContext.privileged to false.
          MEDIUM    CS-002   12:9     Container "app" may gain more privileges than its parent.
                                      fix: Set allowPrivilegeEscalation: false on every container.

      pods.yaml

        Pod debug
          CRITICAL  CS-001   3:1      Containers do not run privileged: container "app" does.

        Deployment shop/web
          ERROR     SP-003   40:1     no such overload: int + string

      Without a file

        module.logs.aws_s3_bucket.this[0]
          HIGH      SP-003   The access key is written into the resource.
                             fix: Read the value from a Secret.

      Errors (2)

        broken.yaml:3:7
          A tab stands where indentation is expected; use spaces. (yaml-syntax)
        A path given on the command line does not exist.
          There is no file or directory nowhere. (path-not-found)

      Suppressed (1)

             1  SP-003   rotated daily (config, until 2027-01-31)

      Summary

        4 findings in 3 resources, judged by 4 rules; 1 suppressed, 3 errors.

        CRITICAL  2  ━━━━━━━━━━━━━━━━━━━━━━━━
        HIGH      1  ━━━━━━━━━━━━
        MEDIUM    1  ━━━━━━━━━━━━
        LOW       0
        INFO      0

        Category                 Findings  Score
        CS   Container security         3   77.9
        SP   Secrets                    1   90.5
        RL   Reliability                0      –

        Findings  by rule
               2  CRITICAL  CS-001   Containers do not run privileged
               1  HIGH      SP-003   Secrets are not literals in manifests
               1  MEDIUM    CS-002   Containers forbid privilege escalation

        Score  69 of 100, grade D
               64.2 without exceptions; 48.4 to 69 once unknown values are known; 92.3 % of the input
               could be judged
      "
    `);
  });

  it('says so where there are no findings', async () => {
    expect(await reported(text, run([]))).toMatchInlineSnapshot(`
      "
      Summary

        No findings in 3 resources, judged by 4 rules.

        Score  69 of 100, grade D
      "
    `);
  });

  it('shows only errors where nothing could be judged', async () => {
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

        No resource was judged; 2 errors.

        Score  none
               no score: less than half of the input could be judged; 0 % of the input could be judged
      "
    `);
  });

  it('puts the message on a line of its own on a narrow terminal, and never exceeds its width', async () => {
    const narrow = await reported(text, EVERYTHING, { width: 50 });
    expect(narrow).toContain('    CRITICAL  CS-001   12:9\n      Containers do not run privileged: container');
    for (const line of narrow.split('\n')) expect(line.length).toBeLessThanOrEqual(50);
  });

  it('wraps between words only, so that an image name can be copied', async () => {
    const image = `registry.example/${'team/'.repeat(12)}app:1.2.3`;
    const written = await reported(text, run([finding('CS-001', { message: `Container "app" runs ${image} as root.` })]), { width: 80 });
    expect(written.split('\n').map((line) => line.trim())).toEqual(
      expect.arrayContaining(['CRITICAL  CS-001   12:9     Container "app" runs', image, 'as root.']),
    );
  });

  it('lists a small run in full', async () => {
    const findings = Array.from({ length: 100 }, (_, i) => finding('CS-001', { location: { file: 'a.yaml', line: i + 1, column: 1 } }));
    const written = await reported(text, run(findings));
    expect(written).toContain(' 100:1 ');
    expect(written).not.toContain('not listed');
  });

  it('lists the first five of each rule of a large run, and counts the rest', async () => {
    const findings = Array.from({ length: 101 }, (_, i) =>
      finding(i === 100 ? 'RL-004' : 'CS-001', { location: { file: 'a.yaml', line: i + 1, column: 1 } }),
    );
    const written = await reported(text, run(findings));
    expect(written).toContain(' 5:1 ');
    expect(written).not.toContain(' 6:1 ');
    expect(written).toContain(' 101:1 ');
    expect(written).toContain('95 more findings are not listed: the first 5 of each rule are. --verbose lists all.');
    const all = await reported(text, run(findings), { verbose: true });
    expect(all).toContain(' 6:1 ');
    expect(all).not.toContain('not listed');
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
