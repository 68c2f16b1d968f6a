import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { signerFromSeed } from '../keys/index.js';
import { HEAD, policyFile, removeBundles, type TestFiles, writeBundle } from './bundle-files.test-support.js';
import { readBundle } from './read-bundle.js';
import { tarOf } from './tar.test-support.js';

afterAll(removeBundles);

/** Errors of a bundle as `file:line:column: message`, with paths inside of it. */
async function errorsOf(files: TestFiles): Promise<string[]> {
  const folder = await writeBundle(files);
  const { bundle, errors } = await readBundle(folder);
  expect(bundle === undefined).toBe(errors.length > 0);
  return errors.map(({ code, message, location }) => {
    expect(code).toBe('AG-POL-001');
    return `${location?.file.slice(folder.length + 1)}:${location?.line}:${location?.column}: ${message}`;
  });
}

async function warningsOf(policy: string): Promise<string[]> {
  const { warnings } = await readBundle(await writeBundle({ 'bundle.yaml': HEAD, 'policies/a.yaml': policy }));
  return warnings.map(({ message, location }) => `${location?.line}:${location?.column}: ${message}`);
}

const policy = (spec: string) => `apiVersion: bylaw.dev/v1
kind: Policy
metadata: {id: a, title: A}
spec:
  effect: allow
  message: A.
  ${spec}
`;

describe('a bundle', () => {
  it('has defaults for what it does not say', async () => {
    const { bundle, errors } = await readBundle(await writeBundle({ 'bundle.yaml': HEAD }));
    expect(errors).toEqual([]);
    expect(bundle).toMatchObject({
      id: 'acme',
      version: '1.2.3',
      default: 'deny',
      approval: null,
      budget: { maxAgeSeconds: 300, onExceed: 'deny' },
      mandate: { maxLifetimeHours: 720 },
      policies: [],
      tests: [],
    });
  });

  it('says what it says', async () => {
    const head = {
      ...HEAD,
      title: 'Acme',
      default: 'require_approval',
      approval: { groups: ['sre', 'dba'], quorum: 2 },
      budget: { max_age_seconds: 60, on_exceed: 'require_approval' },
      mandate: { max_lifetime_hours: 24 },
    };
    const { bundle } = await readBundle(await writeBundle({ 'bundle.yaml': head }));
    expect(bundle).toMatchObject({
      default: 'require_approval',
      approval: { groups: ['dba', 'sre'], quorum: 2, ttl_seconds: 3600, grant_ttl_seconds: 900 },
      budget: { maxAgeSeconds: 60, onExceed: 'require_approval' },
      mandate: { maxLifetimeHours: 24 },
    });
  });

  it('sorts its policies by id, whatever their files are called', async () => {
    const files = {
      'bundle.yaml': HEAD,
      'policies/1.yaml': policyFile('b', {}),
      'policies/team/2.yaml': policyFile('a', {}),
      'policies/3.yaml': policyFile('c', {}),
    };
    const { bundle } = await readBundle(await writeBundle(files));
    expect(bundle?.policies.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  it('looks only at policies that the first name of an action may concern', async () => {
    const files = {
      'bundle.yaml': HEAD,
      'policies/1.yaml': policyFile('k8s', { match: { actions: ['kubernetes.**', 'helm.*'] } }),
      'policies/2.yaml': policyFile('any', { match: { actions: ['*.delete'] } }),
      'policies/3.yaml': policyFile('where', { match: { environments: ['production'] } }),
      'policies/4.yaml': policyFile('db', { match: { actions: ['database'] } }),
    };
    const { bundle } = await readBundle(await writeBundle(files));
    const candidates = (type: string) => bundle?.candidates(type).map(({ id }) => id);
    expect(candidates('kubernetes.deployment.update')).toEqual(['any', 'k8s', 'where']);
    expect(candidates('helm.install')).toEqual(['any', 'k8s', 'where']);
    expect(candidates('database')).toEqual(['any', 'db', 'where']);
    expect(candidates('constructor')).toEqual(['any', 'where']);
  });

  it('that is not there is none', async () => {
    const { errors } = await readBundle('/no/such/bundle');
    expect(errors).toEqual([{ code: 'AG-POL-002', message: 'There is no policy bundle at /no/such/bundle: it does not exist.' }]);
  });
});

describe('the digest of a bundle', () => {
  const files = { 'bundle.yaml': HEAD, 'policies/a.yaml': policyFile('a', {}), 'README.md': 'Read me.' };
  const digestOf = async (given: TestFiles) => (await readBundle(await writeBundle(given))).bundle?.digest;

  it('is that of the digests of its files by path', async () => {
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    const [readme, head, first] = ['Read me.', JSON.stringify(HEAD), JSON.stringify(policyFile('a', {}))].map(sha256);
    const text = `{"files":{"README.md":"${readme}","bundle.yaml":"${head}","policies/a.yaml":"${first}"}}`;
    expect(await digestOf(files)).toBe(`sha256:${sha256(text)}`);
  });

  it('changes with every file, and not with what starts with a dot', async () => {
    const digest = await digestOf(files);
    expect(await digestOf({ ...files, 'README.md': 'Read me!' })).not.toBe(digest);
    expect(await digestOf({ ...files, '.git/config': 'x', 'policies/.a.yaml.swp': 'x' })).toBe(digest);
  });

  it('is the same in an archive', async () => {
    const folder = await writeBundle(files);
    const archive = join(await writeBundle({}), 'bundle.tar');
    execFileSync('tar', ['--format=ustar', '-cf', archive, '-C', folder, '.']);
    const { bundle, errors } = await readBundle(archive);
    expect(errors).toEqual([]);
    expect(bundle?.digest).toBe(await digestOf(files));
  });

  it('does not depend on how letters with marks are stored', async () => {
    const named = (name: string) => ({ 'bundle.yaml': HEAD, [`policies/${name}.yaml`]: policyFile('a', {}) });
    expect(await digestOf(named('\u00e9'))).toBe(await digestOf(named('e\u0301')));
  });
});

describe('errors of a bundle', () => {
  it.each<[string, TestFiles, string[]]>([
    ['no head', { 'policies/a.yaml': policyFile('a', {}) }, [':1:1: The bundle has no bundle.yaml.']],
    [
      'the folder above',
      { 'x/bundle.yaml': HEAD },
      [
        'x/bundle.yaml:1:1: Unknown file in the bundle. Did you mean bundle.yaml?',
        ':1:1: The bundle has no bundle.yaml. Found x/bundle.yaml: pass that folder, or archive its content.',
      ],
    ],
    [
      'a misspelt field',
      { 'bundle.yaml': `${JSON.stringify(HEAD).slice(0, -1)},\n"defualt": "deny"}` },
      ['bundle.yaml:2:1: Unknown field `defualt`; did you mean `default`?'],
    ],
    [
      'another API version',
      { 'bundle.yaml': { ...HEAD, apiVersion: 'bylaw.dev/v2' } },
      ['bundle.yaml:1:2: `apiVersion` must be bylaw.dev/v1.'],
    ],
    [
      'a default that asks nobody',
      { 'bundle.yaml': 'apiVersion: bylaw.dev/v1\nkind: Bundle\nid: a\nversion: "1"\ndefault: require_approval\n' },
      ['bundle.yaml:5:1: No approvers are defined. Add `approval` to this file.'],
    ],
    [
      'a budget that asks nobody',
      { 'bundle.yaml': { ...HEAD, budget: { on_exceed: 'require_approval' } } },
      ['bundle.yaml:1:86: No approvers are defined. Add `approval` to this file.'],
    ],
    [
      'YAML',
      { 'bundle.yaml': 'a: [' },
      ['bundle.yaml:1:5: The file is not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ]'],
    ],
    ['a duplicate key', { 'bundle.yaml': 'id: a\nid: b\n' }, ['bundle.yaml:2:1: The file is not valid YAML: Map keys must be unique']],
    [
      'an anchor',
      { 'bundle.yaml': 'id: &x a\nversion: "1"\n' },
      ['bundle.yaml:1:8: Anchors and aliases are not allowed here: write the value out.'],
    ],
    ['bytes that are no UTF-8', { 'bundle.yaml': Uint8Array.of(0x69, 0xff) }, ['bundle.yaml:1:1: The file is not valid UTF-8.']],
    [
      'a strange file',
      { 'bundle.yaml': HEAD, 'policies/a.yml': '' },
      ['policies/a.yml:1:1: Unknown file in the bundle. Did you mean policies/a.yaml?'],
    ],
    [
      'a strange folder',
      { 'bundle.yaml': HEAD, 'notes/a.txt': '' },
      [
        'notes/a.txt:1:1: Unknown file in the bundle. A bundle may contain policies/*.yaml, tests/*.yaml, *.md and bundle.yaml, trust/issuers.yaml, trust/revoked.yaml, masking.yaml.',
      ],
    ],
    ['a large file', { 'bundle.yaml': HEAD, 'a.md': 'x'.repeat(1_048_577) }, ['a.md:1:1: The file is larger than 1,048,576 bytes.']],
  ])('are told with their place: %s', async (_, files, expected) => {
    expect(await errorsOf(files)).toEqual(expected);
  });

  it('come together, not one at a time', async () => {
    expect(
      await errorsOf({
        'bundle.yaml': HEAD,
        'policies/a.yaml': policyFile('a', { effect: 'alow' }),
        'policies/b.yaml': policyFile('b', { when: 'x' }),
      }),
    ).toEqual([
      'policies/a.yaml:1:99: `spec.effect` must be one of allow, deny, require_approval; did you mean allow?',
      "policies/b.yaml:1:147: The condition does not compile: unknown name 'x' (known names: proposal, budget, mandate, governance, request).",
    ]);
  });

  it('are told of two policies with one id', async () => {
    const [error] = await errorsOf({ 'bundle.yaml': HEAD, 'policies/a.yaml': policyFile('a', {}), 'policies/b.yaml': policyFile('a', {}) });
    expect(error).toMatch(/^policies\/b.yaml:1:\d+: The id a is already used in .*policies\/a\.yaml\.$/);
  });

  it.each([
    ['when: propsal.id == "x"', "7:9: The condition does not compile: unknown name 'propsal' (did you mean 'proposal'?)."],
    ['when: proposal.acton.type == "x"', "7:9: The condition does not compile: unknown field 'acton' (did you mean 'action'?)."],
    ['when: proposal.action.cost.ammount > 1', "7:9: The condition does not compile: unknown field 'ammount' (did you mean 'amount'?)."],
    [
      'when: governance.?findings.orValue([]).exists(f, f.severty == "HIGH")',
      "7:52: The condition does not compile: unknown field 'severty' (did you mean 'severity'?).",
    ],
    ['when: proposal.id.matchs("x")', "7:9: The condition does not compile: unknown method 'matchs' (did you mean 'matches'?)."],
    [
      'when: proposal.id.matches("(")',
      '7:29: The condition does not compile: not a valid RE2 pattern: error parsing regexp: missing closing ): `(`.',
    ],
    [
      'when: proposal.id.matches("(?<=a)b")',
      '7:29: The condition does not compile: not a valid RE2 pattern: error parsing regexp: invalid named capture: `(?<=a)b`.',
    ],
    [
      'when: proposal.id.matches(proposal.environment)',
      '7:29: The condition does not compile: the pattern of matches() must be a literal string, because it is compiled once.',
    ],
    ['when: proposal.id + proposal.id', '7:9'],
    ['when: "1 + 1"', '7:10: The condition does not compile: a condition must be of type bool, not int.'],
    ['when: proposal.id ==', '7:23: The condition does not compile: Unexpected token: EOF.'],
    [
      'when: list(proposal.context).all(a, list(a).all(b, b == 1))',
      '7:51: The condition does not compile: loops (all, exists, map, …) are nested more than 1 level deep.',
    ],
    [`when: ${Array(130).fill('true').join(' && ')} && true`, 'compiles'],
    [
      `when: ${Array(251).fill('true').join(' && ')}`,
      '7:2009: The condition does not compile: the expression has more than 500 nodes; split it or shorten it.',
    ],
    ['match: {actions: [Kubernetes.*]}', '7:21: `spec.match.actions.0` must match the pattern ^[a-z0-9_.*-]+$.'],
    ['match: {action: [kubernetes.*]}', '7:11: Unknown field `action` in `spec.match`; did you mean `actions`?'],
    ['match: {actions: []}', '7:11: `spec.match.actions` must have at least 1 item.'],
    ['approval: {groups: [sre]}', '7:3: `approval` is valid only with the effect require_approval.'],
    ['stage: testing', '7:3: `spec.stage` must be one of active, draft.'],
    ['obligations: [{type: Ticket}]', '7:18: `spec.obligations.0.type` must match the pattern ^[a-z][a-z0-9_.-]{0,62}$.'],
  ])('of a policy are told with their place: %.60s', async (spec, expected) => {
    const errors = await errorsOf({ 'bundle.yaml': HEAD, 'policies/a.yaml': policy(spec) });
    if (expected === 'compiles' || expected === '7:9') expect(errors).toEqual([]);
    else expect(errors).toEqual([`policies/a.yaml:${expected}`]);
  });

  it('are told of a policy that asks nobody', async () => {
    expect(await errorsOf({ 'bundle.yaml': HEAD, 'policies/a.yaml': policyFile('a', { effect: 'require_approval' }) })).toEqual([
      'policies/a.yaml:1:99: No approvers are defined. Add `approval` to the policy, or to bundle.yaml for all policies.',
    ]);
    expect(
      await errorsOf({
        'bundle.yaml': { ...HEAD, approval: { groups: ['sre'] } },
        'policies/a.yaml': policyFile('a', { effect: 'require_approval' }),
      }),
    ).toEqual([]);
  });
});

describe('the lint of a policy', () => {
  it.each([
    [
      'when: proposal.action.cost.amount > 5',
      [
        '7:9: `proposal.action.cost` may be missing, and then the policy denies (AG-POL-011). Check `has(proposal.action.cost)` first, or select it with `.?`.',
      ],
    ],
    ['when: has(proposal.action.cost) && proposal.action.cost.amount > 5', []],
    ['when: mandate.valid && mandate.issuer == "x"', []],
    ['when: governance.present && governance.score < 80', []],
    ['when: has(proposal.action.parameters.replicas) && proposal.action.parameters.replicas > 3', []],
    ['', ['5:3: The policy allows every proposal. Restrict it with `match` or `when`.']],
  ])('wants optional fields to be asked for: %s', async (spec, expected) => {
    expect(await warningsOf(policy(spec))).toEqual(expected);
  });
});

describe('trust', () => {
  const key = signerFromSeed(new Uint8Array(32));
  const issuers = (keys: object[]) => ({ apiVersion: 'bylaw.dev/v1', kind: 'TrustedIssuers', issuers: [{ issuer: 'acme', keys }] });

  it('lists issuers with their keys, and what is revoked', async () => {
    const { bundle } = await readBundle(
      await writeBundle({
        'bundle.yaml': HEAD,
        'trust/issuers.yaml': issuers([{ key_id: 'k-1', public_key: key.publicKey }]),
        'trust/revoked.yaml': {
          apiVersion: 'bylaw.dev/v1',
          kind: 'Revoked',
          mandates: [{ issuer: 'acme', mandate_id: 'm-1', reason: 'Lost.' }],
          keys: [{ issuer: 'acme', key_id: 'k-9' }],
        },
      }),
    );
    expect([...(bundle?.trust.issuers.get('acme')?.keys() ?? [])]).toEqual(['k-1']);
    const revoked = (issuer: string, key_id: string, mandate_id: string) => bundle?.trust.isRevoked({ issuer, key_id, mandate_id });
    expect([
      revoked('acme', 'k-1', 'm-1'),
      revoked('acme', 'k-9', 'm-2'),
      revoked('acme', 'k-1', 'm-2'),
      revoked('other', 'k-9', 'm-1'),
    ]).toEqual([true, true, false, false]);
  });

  it('is refused where a key is listed twice', async () => {
    const entry = { key_id: 'k-1', public_key: key.publicKey };
    const [error] = await errorsOf({ 'bundle.yaml': HEAD, 'trust/issuers.yaml': issuers([entry, entry]) });
    expect(error).toContain('The issuer already has a key with this id.');
  });
});

describe('masking', () => {
  const masking = (spec: object) => ({ 'bundle.yaml': HEAD, 'masking.yaml': { apiVersion: 'bylaw.dev/v1', kind: 'Masking', spec } });

  it('adds to what is masked anyway', async () => {
    const { bundle, errors } = await readBundle(await writeBundle(masking({ names: [{ id: 'iban', names: ['iban'] }] })));
    expect(errors).toEqual([]);
    expect(bundle?.masker.mask({ iban: 'DE02', password: 'x', note: 'y' })).toEqual({
      iban: '[masked:iban]',
      password: '[masked:password]',
      note: 'y',
    });
  });

  it('is refused where a pattern is none', async () => {
    const [error] = await errorsOf(masking({ values: [{ id: 'odd', pattern: '(' }] }));
    expect(error).toMatch(/^masking\.yaml:1:\d+: The pattern is invalid: /);
  });

  it('is refused where a field is misspelt', async () => {
    expect(await errorsOf(masking({ name: [] }))).toEqual(['masking.yaml:1:55: Unknown field `name` in `spec`; did you mean `names`?']);
  });
});

describe('the tests of a bundle', () => {
  it('are laid over the base of their file', async () => {
    const tests = {
      apiVersion: 'bylaw.dev/v1',
      kind: 'PolicyTests',
      at: '2026-05-05T00:00:00.000Z',
      base: { id: 'p', action: { type: 'a', resource: 'r', parameters: { x: 1, y: [1] } } },
      tests: [
        { name: 'one', input: { action: { type: 'b', parameters: { x: null, y: [2] } } }, expect: { decision: 'DENY' } },
        { name: 'two', input: {}, at: '2026-06-06T00:00:00.000Z', expect: { decision: 'DENY' } },
      ],
    };
    const { bundle } = await readBundle(await writeBundle({ 'bundle.yaml': HEAD, 'tests/a.yaml': tests }));
    expect(bundle?.tests.map(({ input, at }) => [input, at])).toEqual([
      [{ id: 'p', action: { type: 'b', resource: 'r', parameters: { y: [2] } } }, '2026-05-05T00:00:00.000Z'],
      [tests.base, '2026-06-06T00:00:00.000Z'],
    ]);
  });
});

describe('hostile bundles', () => {
  it('may not hold links', async () => {
    const folder = await writeBundle({ 'bundle.yaml': HEAD });
    symlinkSync('/etc/passwd', join(folder, 'a.md'));
    expect((await readBundle(folder)).errors[0]?.message).toBe('The file is a symbolic link; a bundle may contain only regular files.');
  });

  it.each(['/etc/passwd', '../up.yaml', 'policies/../../up.yaml', 'policies//a.yaml', 'a\\b.yaml', 'policies/./a.yaml'])(
    'may not lead out of an archive: %s',
    async (path) => {
      const archive = join(await writeBundle({}), 'bundle.tar');
      writeFileSync(
        archive,
        tarOf([
          { path: 'bundle.yaml', content: JSON.stringify(HEAD) },
          { path, content: 'x' },
        ]),
      );
      expect((await readBundle(archive)).errors[0]?.message).toContain(
        'The archive contains a path that is absolute, leads out of the archive',
      );
    },
  );

  it('may not hold a file twice', async () => {
    const archive = join(await writeBundle({}), 'bundle.tar');
    const entry = { path: 'bundle.yaml', content: JSON.stringify(HEAD) };
    writeFileSync(archive, tarOf([entry, { ...entry, path: './bundle.yaml' }]));
    const { errors } = await readBundle(archive);
    expect(errors.map(({ message, location }) => [message, location?.file])).toEqual([
      ['The file appears twice.', `${archive}:bundle.yaml`],
    ]);
  });

  it('may not nest as deep as they like', async () => {
    const [error] = await errorsOf({ 'bundle.yaml': `${'['.repeat(100_000)}` });
    expect(error).toContain('bundle.yaml:1:');
  });

  it('cannot reach what all objects have', async () => {
    const [error] = await errorsOf({
      'bundle.yaml': '{"apiVersion":"bylaw.dev/v1","kind":"Bundle","id":"a","version":"1","__proto__":{"default":"allow"}}',
    });
    expect(error).toContain('Unknown field `__proto__`');
    expect(Object.hasOwn(Object.prototype, 'default')).toBe(false);
  });
});
