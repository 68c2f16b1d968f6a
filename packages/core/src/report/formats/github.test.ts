import { describe, expect, it } from 'vitest';
import { EVERYTHING, finding, hostileRun, reported, run } from '../testing/run.test-support.js';
import { github } from './github.js';

/** The grammar of the Actions runner: a command, properties without a bare comma or colon, and data up to the end of the line. */
const COMMAND = /^::(?:error|warning|notice) (?:[a-z]+=[^:,\r\n]*)(?:,[a-z]+=[^:,\r\n]*)*::[^\r\n]*$/;

describe('the GitHub report', () => {
  it('annotates errors first, then findings by severity, and ends with a summary', async () => {
    expect(await reported(github, EVERYTHING)).toMatchInlineSnapshot(`
      "::error file=broken.yaml,line=3,col=7,title=yaml-syntax::A tab stands where indentation is expected; use spaces.
      ::error title=path-not-found::There is no file or directory nowhere.
      ::error file=deploy/web.yaml,line=12,col=9,title=CS-001 Containers do not run privileged::Deployment shop/web: Containers do not run privileged: container "app" does.%0AFix: Set securityContext.privileged to false.
      ::error file=pods.yaml,line=3,col=1,title=CS-001 Containers do not run privileged::Pod debug: Containers do not run privileged: container "app" does.%0AFix: Set securityContext.privileged to false.
      ::error file=pods.yaml,line=40,col=1,title=SP-003 could not be evaluated::Deployment shop/web: no such overload: int + string
      ::error title=SP-003 Secrets are not literals in manifests::module.logs.aws_s3_bucket.this[0]: The access key is written into the resource.%0AFix: Read the value from a Secret.
      ::warning file=deploy/web.yaml,line=12,col=9,title=CS-002 Containers forbid privilege escalation::Deployment shop/web: Container "app" may gain more privileges than its parent.%0AFix: Set allowPrivilegeEscalation: false on every container.
      ::notice title=Exceptions::Suppressed: 1 finding (configuration 1) in pods.yaml 1.
      bylaw: INCOMPLETE  3 errors; 2 critical, 1 high (threshold HIGH)
      bylaw: 4 findings (2 critical, 1 high, 1 medium, 0 low, 0 info) in 3 resources, 1 suppressed; score 69 (D)
      "
    `);
  });

  it('lets no text of the input begin a command or end one', async () => {
    const lines = (await reported(github, hostileRun())).trimEnd().split('\n');
    for (const line of lines) expect(line.startsWith('bylaw: ') || COMMAND.test(line), line).toBe(true);
  });

  it('escapes what would be read as an escape', async () => {
    const written = await reported(
      github,
      run([finding('CS-001', { message: '100%0A', location: { file: 'a,b:c%.yaml', line: 1, column: 1 } })]),
    );
    expect(written).toContain('file=a%2Cb%3Ac%25.yaml,line=1,col=1,');
    expect(written).toContain('100%250A');
  });

  it('puts a severe finding before many minor ones, and says how many do not have an annotation', async () => {
    const light = Array.from({ length: 200 }, () => finding('RL-004'));
    const lines = (await reported(github, run([...light, finding('CS-001')]))).trimEnd().split('\n');
    expect(lines[0]).toMatch(/^::error .*CS-001/);
    expect(lines.at(-1)).toBe('bylaw: 150 findings have no annotation here; use the format sarif to see all findings.');
  });

  it('says the verdict and the counts if there is nothing else to say', async () => {
    expect(await reported(github, run([]))).toBe(
      'bylaw: PASS  no findings\nbylaw: 0 findings (0 critical, 0 high, 0 medium, 0 low, 0 info) in 3 resources, 0 suppressed; score 69 (D)\n',
    );
  });
});
