import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { sharedProcess } from '@bylaw/core/testing/shared-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HEAD, policyFile, removeBundles, writeBundle } from '../../policy/bundle-files.test-support.js';
import { BUDGET, mandateOf, PROPOSAL, TRUST } from '../../verdict/verdict.test-support.js';

const RUN = fileURLToPath(new URL('../../../../cli/bin/run.js', import.meta.url));
const AT = '2026-01-02T03:04:05.678Z';

let folder: string;

beforeAll(async () => {
  folder = await writeBundle({
    'bylaw.yaml': 'policy: {bundle: policies}\n',
    'proposal.json': PROPOSAL,
    'envelope.json': { proposal: PROPOSAL, budget: BUDGET },
    'budget.json': BUDGET,
    'mandate.json': mandateOf(),
    'bad.json': { ...PROPOSAL, environment: 's3cretValue!' },
    'secret.json': { ...PROPOSAL, principal: { id: `ghp_${'a1B2'.repeat(9)}` } },
    ...Object.fromEntries(
      Object.entries({
        'bundle.yaml': HEAD,
        ...TRUST,
        'policies/mandated.yaml': policyFile('mandated', { mandate: 'required', match: { environments: ['production'] } }),
        'policies/helm.yaml': policyFile('helm', { match: { actions: ['helm.**'] } }),
        'policies/cost.yaml': policyFile('cost', { effect: 'deny', when: 'has(proposal.action.cost) && proposal.action.cost.amount > 5' }),
        'tests/a.yaml': {
          apiVersion: 'bylaw.dev/v1',
          kind: 'PolicyTests',
          tests: [{ name: 'no mandate', input: PROPOSAL, expect: { decision: 'DENY', reasons: ['AG-POL-012'] } }],
        },
      }).map(([path, content]) => [`policies/${path}`, content]),
    ),
    'broken/bundle.yaml': HEAD,
    'broken/policies/a.yaml':
      'apiVersion: bylaw.dev/v1\nkind: Policy\nmetadata: {id: a, title: A}\nspec:\n  effect: allow\n  when: proposal.idd == "x"\n  message: A.\n',
    'sloppy/bundle.yaml': HEAD,
    'sloppy/policies/a.yaml': policyFile('a', {}),
    'failing/bundle.yaml': HEAD,
    'failing/tests/a.yaml': {
      apiVersion: 'bylaw.dev/v1',
      kind: 'PolicyTests',
      tests: [{ name: 'hope', input: PROPOSAL, expect: { decision: 'ALLOW' } }],
    },
  });
});

afterAll(removeBundles);

interface Result {
  exit: number;
  out: string;
  err: string;
}

const runShared = sharedProcess(new URL('../../../../cli/lib/main.js', import.meta.url));

async function run(...args: string[]): Promise<Result> {
  const { code, stdout, stderr } = await runShared(args, { cwd: folder });
  return { exit: code, out: stdout, err: stderr };
}

const decisionOf = ({ out }: Result) => JSON.parse(out).decision;

describe('bylaw check', () => {
  it('prints the canonical verdict and a line feed, by the bundle of the configuration', async () => {
    const { exit, out, err } = await run('check', 'proposal.json', '--at', AT);
    expect([exit, err]).toEqual([10, '']);
    expect(out).toMatch(/^\{"approval":null,"budget":\{"status":"absent"\},"bundle":.*\}\n$/);
    expect(JSON.parse(out)).toMatchObject({ decision: 'DENY', reasons: [{ code: 'AG-POL-012', policy: 'mandated' }] });
  });

  it('takes budget and mandate from files of their own', async () => {
    const { exit, out } = await run('check', 'proposal.json', '--mandate', 'mandate.json', '--budget', 'budget.json', '--at', AT);
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ decision: 'ALLOW', mandate: { status: 'valid' }, budget: { status: 'within' } });
    const enveloped = await run('check', 'envelope.json', '--mandate', 'mandate.json', '--at', AT);
    expect(enveloped).toEqual({ exit: 0, out, err: '' });
  });

  it('reads standard input', async () => {
    const child = spawn(process.execPath, [RUN, 'check', '-', '--bundle', 'sloppy'], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.end(JSON.stringify(PROPOSAL));
    const [out, [exit]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    expect([exit, JSON.parse(out).decision]).toEqual([0, 'ALLOW']);
  });

  it('exits with 11 where an approval is needed', async () => {
    const bundle = await writeBundle({ 'bundle.yaml': { ...HEAD, default: 'require_approval', approval: { groups: ['sre'] } } });
    const result = await run('check', 'proposal.json', '--bundle', bundle);
    expect([result.exit, decisionOf(result)]).toEqual([11, 'REQUIRE_APPROVAL']);
  });

  it.each<[string[], number, string]>([
    [['bad.json'], 2, 'error: bad.json: /environment must match pattern "^[a-z0-9][a-z0-9-]{0,62}$".\n'],
    [['secret.json'], 2, 'error: secret.json: /principal/id looks like a secret.\n'],
    [['proposal.json', '--at', 'noon'], 2, 'error: --at must be a timestamp.\nhint: Use the format 2026-01-02T03:04:05.678Z.\n'],
    [['proposal.json', '--bundle', 'nowhere'], 3, 'error: There is no policy bundle at nowhere: it does not exist.\n'],
    [
      ['proposal.json', '--bundle', 'broken'],
      3,
      "error: broken/policies/a.yaml:6:9: The condition does not compile: unknown field 'idd' (did you mean 'id'?).\n",
    ],
  ])('tells what is wrong: %j', async (args, exit, message) => {
    const result = await run('check', ...args);
    expect(result).toMatchObject({ exit, out: '' });
    expect(result.err.startsWith(message)).toBe(true);
    expect(result.err).not.toContain('s3cret');
  });

  it('says that no bundle is configured', async () => {
    writeFileSync(join(folder, 'empty.yaml'), '');
    expect(await run('check', 'proposal.json', '--config', 'empty.yaml')).toEqual({
      exit: 3,
      out: '',
      err: 'error: No policy bundle is configured.\nhint: Pass a bundle, or set policy.bundle in bylaw.yaml.\n',
    });
  });
});

describe('bylaw policy', () => {
  it('lint is content with a good bundle', async () => {
    expect(await run('policy', 'lint')).toEqual({ exit: 0, out: 'acme 1.2.3: 3 policies, 1 test, 0 warnings\n', err: '' });
  });

  it('lint tells of errors and of what is likely not meant', async () => {
    const broken = await run('policy', 'lint', 'broken');
    expect([broken.exit, broken.out]).toEqual([
      3,
      expect.stringMatching(/^error: broken\/policies\/a\.yaml:6:9: The condition does not compile/),
    ]);
    const sloppy = await run('policy', 'lint', 'sloppy');
    expect([sloppy.exit, sloppy.out]).toEqual([
      1,
      expect.stringMatching(/^warning: sloppy\/policies\/a\.yaml:1:\d+: The policy allows every proposal.*\nacme 1\.2\.3: /),
    ]);
    expect(JSON.parse((await run('policy', 'lint', 'broken', '--json')).out)).toMatchObject({
      bundle: null,
      errors: [{ code: 'AG-POL-001', location: { file: 'broken/policies/a.yaml', line: 6, column: 9 } }],
      warnings: [],
    });
  });

  it('test tells what fails, and what no test covers', async () => {
    expect(await run('policy', 'test')).toEqual({
      exit: 0,
      out: '1 of 1 test passed, 50 % of the outcomes are covered\nNot covered by any test:\n  cost never matches\n  helm never matches\n  mandated always matches when it is evaluated\n',
      err: '',
    });
    expect((await run('policy', 'test', '--min-coverage', '51')).exit).toBe(1);
    const failing = await run('policy', 'test', 'failing');
    expect([failing.exit, failing.out]).toEqual([
      1,
      expect.stringMatching(/^failing\/tests\/a\.yaml:1:\d+: hope: The decision is DENY, not ALLOW: AG-POL-010\.\n0 of 1 test passed/),
    ]);
  });

  it('digest prints the digest of the verdicts', async () => {
    const { out } = await run('policy', 'digest');
    const verdict = JSON.parse((await run('check', 'proposal.json')).out);
    expect(out).toBe(`${verdict.bundle.digest}\n`);
  });

  it('explain shows which part of which condition was false', async () => {
    const { exit, out } = await run('policy', 'explain', 'proposal.json', '--at', AT);
    expect(exit).toBe(0);
    expect(out).toBe(`DENY
  AG-POL-012 mandated: This needs a valid mandate.

cost (deny): its condition is false
    false: has(proposal.action.cost)
    error (No such key: cost): proposal.action.cost.amount > 5
helm (allow): does not match: its actions do not cover the proposal
mandated (allow): matches
`);
  });
});
