import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical, type Json, type JsonObject } from '../json/index.js';
import type { Envelope } from '../proposal/index.js';
import { createMasker, exactFinder, exactMasker, type MaskingRules, maskingBreaches } from './index.js';
import { SEEDED_SECRETS, secretNames, seededSecret } from './masking.test-support.js';

const masker = createMasker();
const mask = (value: Json) => masker.mask(value);

/** Built at run time, so that no scanner takes this file for a leak. */
const JWT = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0NTY3ODkwIn0', 'dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U'].join('.');
const AWS = `AKIA${'ABCDEFGH23456789'}`;

const ENVELOPE: Envelope = {
  proposal: {
    id: 'p-1',
    principal: { id: 'alice' },
    agent: { id: 'bot', session_id: 's-1' },
    action: { type: 'deploy', resource: 'k8s://prod/web', parameters: { replicas: 3, note: 'plain' }, summary: 'Roll out' },
    environment: 'production',
    justification: 'Release 42',
    context: { run: 7, ticket: 'T-1' },
  },
};

describe('masking of commands', () => {
  /** As a shell reads it. */
  const quoted = (word: string) => (/^\w+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

  it.each([
    '--password',
    '-password',
    '--db-passwd',
    '--TOKEN',
    '--api-key',
    '--aws-secret-access-key',
    '--client_secret',
    '--private-key',
  ])('masks the word after %s, in a list and in a text', (option) => {
    for (const value of ['hunter2', 'two words', "it's", 'a"b', 'back\\slash', 'line\nfeed', '$x;&|'])
      expect(mask({ argv: ['tool', option, value, 'rest'], command: `tool ${option} ${quoted(value)} rest` })).toEqual({
        argv: ['tool', option, '[masked:option]', 'rest'],
        command: `tool ${option} [masked:option] rest`,
      });
  });

  it.each([
    ['--token-file', 'x'],
    ['--password-stdin', 'registry'],
    ['--secret-name', 'x'],
    ['--secretary', 'x'],
    ['--password', '--all'],
    ['--', 'token'],
    ['get', 'secret', 'x'],
    ['the non-token value', 'x'],
  ])('leaves %j as it is', (...words) => {
    const said = { argv: words, command: words.join(' ') };
    expect(mask(said)).toBe(said);
  });

  it.each(['-', '-a', '--password ', "'", '--token \\'])('takes time linear in a text of %j', (piece) => {
    const started = performance.now();
    mask(piece.repeat(60_000 / piece.length));
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it('masks a value whose quote does not end', () => {
    expect(mask("tool --password 'never ends")).toBe('tool --password [masked:option]');
  });
});

describe('masking by the name of a member', () => {
  it.each([
    ['password', 'password'],
    ['dbPassword', 'password'],
    ['DB_PASSWD', 'password'],
    ['PGPASSWORD', 'password'],
    ['passphrase', 'password'],
    ['secret', 'secret'],
    ['clientSecret', 'secret'],
    ['client-secret', 'secret'],
    ['aws_secret_access_key', 'secret'],
    ['token', 'token'],
    ['accessToken', 'token'],
    ['GITHUB_TOKEN', 'token'],
    ['api_key', 'api-key'],
    ['apiKey', 'api-key'],
    ['X-API-Key', 'api-key'],
    ['APIKEY', 'api-key'],
    ['Authorization', 'authorization'],
    ['proxy-authorization', 'authorization'],
    ['cookie', 'cookie'],
    ['Set-Cookie', 'cookie'],
    ['privateKey', 'private-key'],
    ['private_key', 'private-key'],
    ['credential', 'credential'],
    ['AWS_CREDENTIALS', 'credential'],
    ['sessionId', 'session-id'],
    ['session-ID', 'session-id'],
    ['otp', 'otp'],
    ['userOtp', 'otp'],
    ['OTPCode', 'otp'],
  ])('masks what %s holds, as %s', (name, rule) => {
    expect(mask({ [name]: 'x' })).toEqual({ [name]: `[masked:${rule}]` });
  });

  it.each([
    'carbon_footprint',
    'imagePullSecrets',
    'secretName',
    'SECRET_NAME',
    'tokenRef',
    'secretKeyRef',
    'tokenCount',
    'tokenizer',
    'secretary',
    'author',
    'cookieless',
    'keyboard',
    'key',
    'session',
    'option',
    'laptop',
    'name',
    'path',
  ])('leaves what %s holds', (name) => {
    const value = { [name]: 'plain', [`x_${name}`]: ['plain'] };
    expect(mask(value)).toBe(value);
  });

  it('replaces texts only', () => {
    const value = { automountServiceAccountToken: false, otp: 123456, token: null, password: {}, secret: [] };
    expect(mask(value)).toBe(value);
  });

  it('reaches all texts below the name, but for those that a name of their own says are no secret', () => {
    const value = { credentials: { user: 'u', nested: [{ value: 'v', n: 1 }], secretName: 'stays', configRef: { key: 'stays' } } };
    const rule = '[masked:credential]';
    expect(mask(value)).toEqual({
      credentials: { user: rule, nested: [{ value: rule, n: 1 }], secretName: 'stays', configRef: { key: 'stays' } },
    });
  });

  it('knows settings that are listed by name and value', () => {
    const env = [
      { name: 'DB_PASSWORD', value: 'x' },
      { name: 'LOG_LEVEL', value: 'info' },
      { key: 'api_key', value: 'x' },
      { name: 'DB_PASSWORD', valueFrom: { secretKeyRef: { name: 'db', key: 'password' } } },
    ];
    expect(mask({ env })).toEqual({
      env: [
        { name: 'DB_PASSWORD', value: '[masked:password]' },
        { name: 'LOG_LEVEL', value: 'info' },
        { key: 'api_key', value: '[masked:api-key]' },
        { name: 'DB_PASSWORD', valueFrom: { secretKeyRef: { name: 'db', key: 'password' } } },
      ],
    });
  });

  it('masks what a Kubernetes Secret holds', () => {
    const applied = 'kubectl.kubernetes.io/last-applied-configuration';
    const secret = {
      kind: 'Secret',
      metadata: { name: 'db', annotations: { [applied]: '{"data":{"user":"YWRtaW4="}}', team: 'shop' } },
      type: 'Opaque',
      data: { user: 'YWRtaW4=' },
      stringData: { any: 'x' },
    };
    expect(mask({ manifests: [secret] })).toEqual({
      manifests: [
        {
          ...secret,
          metadata: { name: 'db', annotations: { [applied]: '[masked:kubernetes-secret]', team: 'shop' } },
          data: { user: '[masked:kubernetes-secret]' },
          stringData: { any: '[masked:kubernetes-secret]' },
        },
      ],
    });
    const map = { kind: 'ConfigMap', data: { user: 'admin' } };
    expect(mask(map)).toBe(map);
  });
});

describe('masking by the form of a text', () => {
  it.each([
    [`see ${AWS} there`, 'see [masked:aws-key] there'],
    [`\\n${AWS}\\n`, '\\n[masked:aws-key]\\n'],
    [JWT, '[masked:jwt]'],
    [`Bearer ${JWT}`, 'Bearer [masked:jwt]'],
    ['authorization: bearer abcdef0123456789', 'authorization: bearer [masked:bearer]'],
    ['postgres://app:p%40ss@db:5432/x?y=1', 'postgres://[masked:url-user-info]@db:5432/x?y=1'],
    ['https://token@host', 'https://[masked:url-user-info]@host'],
    ['https://host/path@2x.png', 'https://host/path@2x.png'],
    ['mail alice@example.com', 'mail alice@example.com'],
    ['-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nrest', '[masked:private-key]\nrest'],
    ['-----BEGIN OPENSSH PRIVATE KEY-----\\nabc, cut off', '[masked:private-key]'],
    ['-----BEGIN PGP PRIVATE KEY BLOCK-----\nabc', '[masked:private-key]'],
    ['-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----', '-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----'],
    ['mysql --password=hunter2 -u root', 'mysql --password=[masked:assignment] -u root'],
    ['export DB_PASSWORD="hunter2"', 'export DB_PASSWORD="[masked:assignment]"'],
    ['Server=db;Password=hunter2;Database=x', 'Server=db;Password=[masked:assignment];Database=x'],
    ['https://host/x?api_key=abc&y=1', 'https://host/x?api_key=[masked:assignment]&y=1'],
    ['{"user":"u","password": "hunter2"}', '{"user":"u","password": "[masked:assignment]"}'],
    ['{\\"client_secret\\":\\"abc\\"}', '{\\"client_secret\\":\\"[masked:assignment]\\"}'],
    ['--token=$TOKEN', '--token=$TOKEN'],
    ['--token-file=/run/token', '--token-file=/run/token'],
    ['the password is written down nowhere', 'the password is written down nowhere'],
    ['secretName=web', 'secretName=web'],
  ])('makes %j %j', (text, masked) => {
    expect(mask(text)).toBe(masked);
    expect(mask([{ a: text }])).toEqual([{ a: masked }]);
  });

  it.each(Object.entries(SEEDED_SECRETS))('knows %s', (rule, secrets) => {
    fc.assert(
      fc.property(secrets, ({ text, secret }) => {
        expect(mask(text)).toContain(`[masked:${rule}]`);
        expect(mask(text)).not.toContain(secret);
      }),
      { numRuns: 200 },
    );
  });

  it('masks names of members, too, and keeps those apart that look the same then', () => {
    const [one, two] = [`${AWS}A`, `${AWS}B`];
    expect(mask({ [one]: 1, plain: 2, [two]: 3 })).toEqual({ '[masked:aws-key]A': 1, plain: 2, '[masked:aws-key]B': 3 });
    const [a, b] = [JWT, `${JWT}x`];
    expect(mask({ [b]: 'b', [a]: 'a', '[masked:jwt]#2': 'c' })).toEqual({
      '[masked:jwt]': 'a',
      '[masked:jwt]#3': 'b',
      '[masked:jwt]#2': 'c',
    });
  });

  it('masks a text whole that is full of secrets', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `${AWS.slice(0, -2)}${index + 10}`).join(' ');
    expect(mask(many(50))).toBe(Array(50).fill('[masked:aws-key]').join(' '));
    expect(mask(many(51))).toBe('[masked:aws-key]');
  });

  it('leaves what has none as it is, and does not copy it', () => {
    const value = { a: [1, 'text', { b: null }], c: { d: 'https://example.com/a?b=c' } };
    expect(mask(value)).toBe(value);
  });
});

describe('masking a submission', () => {
  it('gives back one without secrets as it is', () => {
    const masked = masker.maskSubmission(ENVELOPE);
    expect(masked).toEqual({ proposal: ENVELOPE.proposal, budget: null, mandate: null });
    expect(masked.proposal).toBe(ENVELOPE.proposal);
  });

  it('looks at the names in parameters and context, not at those of the schema', () => {
    const { proposal } = ENVELOPE;
    const action = { ...proposal.action, parameters: { token: 'x' } };
    const masked = masker.maskSubmission({ proposal: { ...proposal, action, context: { session_id: 'x', password: 'y' } } });
    expect(masked.proposal).toMatchObject({
      agent: { session_id: 's-1' },
      action: { parameters: { token: '[masked:token]' } },
      context: { session_id: '[masked:session-id]', password: '[masked:password]' },
    });
  });

  it('looks at the texts of every member', () => {
    const { proposal } = ENVELOPE;
    const text = `with ${AWS}`;
    const masked = masker.maskSubmission({
      proposal: {
        ...proposal,
        agent: { id: text, name: text },
        action: { ...proposal.action, resource: text, summary: text, parameters: { a: [text] } },
        justification: text,
        context: { a: text },
      },
      budget: {
        budget_id: text,
        unit: 'TOK',
        limit: 1,
        spent: 0,
        period_start: '2026-01-01T00:00:00.000Z',
        period_end: '2026-02-01T00:00:00.000Z',
        as_of: '2026-01-01T00:00:00.000Z',
      },
      mandate: {
        v: 'svc-mandate/1',
        mandate_id: 'm',
        issuer: 'i',
        key_id: 'k',
        subject: 's',
        delegate: 'd',
        scope: { actions: ['**'], resources: [text], environments: ['*'] },
        limits: {},
        not_before: '2026-01-01T00:00:00.000Z',
        expires_at: '2026-01-02T00:00:00.000Z',
        purpose: text,
        sig: `${AWS}${'A'.repeat(66)}`,
      },
    });
    expect(JSON.stringify({ ...masked, mandate: { ...masked.mandate, sig: null } })).not.toContain(AWS);
    expect(masked.budget).toMatchObject({ budget_id: 'with [masked:aws-key]', unit: 'TOK' });
    expect(masked.mandate).toMatchObject({
      scope: { resources: ['with [masked:aws-key]'] },
      // Random bytes may look like anything, and a signature that is masked can no longer be checked.
      sig: `${AWS}${'A'.repeat(66)}`,
    });
  });

  it('refuses one whose id, principal or action type would be masked', () => {
    const { proposal } = ENVELOPE;
    const message = 'looks like a secret';
    expect(masker.refusals(ENVELOPE)).toEqual([]);
    expect(masker.refusals({ proposal: { ...proposal, id: JWT } })).toEqual([{ path: '/id', message }]);
    expect(masker.refusals({ proposal: { ...proposal, principal: { id: AWS } } })).toEqual([{ path: '/principal/id', message }]);
    const type = `xoxb-${'a1'.repeat(10)}`;
    expect(masker.refusals({ proposal: { ...proposal, action: { ...proposal.action, type } } })).toEqual([
      { path: '/action/type', message },
    ]);
  });
});

describe('what a bundle adds', () => {
  const rules: MaskingRules = {
    names: [{ id: 'account', names: ['iban', 'account_number'] }],
    values: [{ id: 'staff-number', pattern: 'E[0-9]{6}' }],
    pointers: [
      { id: 'customer', pointers: ['/action/parameters/customer/**', '/context/c*', '/action/parameters/list/*/pin', '/message'] },
    ],
  };
  const own = createMasker(rules);
  const { proposal } = ENVELOPE;
  const parameters = (value: JsonObject) =>
    own.maskSubmission({ proposal: { ...proposal, action: { ...proposal.action, parameters: value } } }).proposal;

  it('is masked by name', () => {
    expect(own.mask({ customerIban: 'x', accountNumber: 'y', number: 'z' })).toEqual({
      customerIban: '[masked:account]',
      accountNumber: '[masked:account]',
      number: 'z',
    });
  });

  it('is masked by form', () => {
    expect(own.mask('E123456 and E12')).toBe('[masked:staff-number] and E12');
    expect(own.refusals({ proposal: { ...proposal, principal: { id: 'E123456' } } })).toHaveLength(1);
  });

  it('is masked by place, whatever stands there', () => {
    const customer = { 'a/b': { c: 1 }, d: [true] };
    const list = [{ pin: 1234, other: 'x' }];
    expect(parameters({ customer, list, customers: { d: 'x' } })).toMatchObject({
      action: {
        parameters: {
          customer: { 'a/b': '[masked:customer]', d: '[masked:customer]' },
          list: [{ pin: '[masked:customer]', other: 'x' }],
          customers: { d: 'x' },
        },
      },
    });
    const masked = own.maskSubmission({ proposal: { ...proposal, context: { city: 1, run: 2 } } });
    expect(masked.proposal).toMatchObject({ context: { city: '[masked:customer]', run: 2 } });
    expect(own.mask({ status: 'ok', message: 'x' })).toEqual({ status: 'ok', message: '[masked:customer]' });
  });

  it('does not switch the built-in set off', () => {
    expect(own.mask({ token: 'x', a: AWS })).toEqual({ token: '[masked:token]', a: '[masked:aws-key]' });
  });

  it.each(['', 'x*', '(', '(?<=a)b', '(a{1000}){1000}', '\\b', '.+', '[a-z]{8,}', 'masked'])(
    'is refused with the pattern %j',
    (pattern) => {
      expect(
        maskingBreaches({
          values: [
            { id: 'ok', pattern: 'E[0-9]{6}' },
            { id: 'mine', pattern },
          ],
        }),
      ).toEqual([{ path: ['values', 1, 'pattern'], message: expect.any(String) }]);
    },
  );

  it('is accepted when its patterns are right', () => {
    expect(maskingBreaches(rules)).toEqual([]);
    expect(maskingBreaches({})).toEqual([]);
  });
});

describe('masking anything', () => {
  const around = fc.constantFrom('', ' ', '"', "'", '\\n', '\n', 'é', ':', '/', ',', '(');
  const seeded = fc.tuple(around, seededSecret, around);
  const leaf: fc.Arbitrary<Json> = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.integer(),
    fc.constantFrom<Json>(true, null, 'name', '[masked:jwt]', 'password=', '://', 'a@b', 'Secret'),
    seeded.map(([before, { text }, after]) => before + text + after),
  );
  const name = fc.oneof(
    fc.constantFrom('a', 'b', 'kind', 'data', 'value', 'name', 'key', 'metadata', '[masked:github-token]'),
    secretNames,
    fc.string({ maxLength: 6 }),
    seededSecret.map(({ text }) => text),
  );
  const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      leaf,
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(
        name.filter((text) => text !== '__proto__'),
        tie('tree'),
        { maxKeys: 4 },
      ),
    ),
  }));

  it('is idempotent', () => {
    fc.assert(
      fc.property(tree, (value) => {
        const once = mask(value);
        expect(mask(once)).toEqual(once);
      }),
      { numRuns: 3000 },
    );
  });

  it('is idempotent with the rules of a bundle', () => {
    const own = createMasker({
      names: [{ id: 'mine', names: ['a'] }],
      values: [
        { id: 'second', pattern: '\\bz+' },
        { id: 'first', pattern: '[0-9]{2}' },
        { id: 'third', pattern: 'name.*' },
      ],
    });
    fc.assert(
      fc.property(tree, (value) => {
        const once = own.mask(value);
        expect(own.mask(once)).toEqual(once);
      }),
      { numRuns: 1000 },
    );
  });

  it('does not depend on the order of members', () => {
    fc.assert(
      fc.property(tree, (value) => {
        expect(canonical(mask(reversed(value)))).toBe(canonical(mask(value)));
      }),
      { numRuns: 1000 },
    );
  });

  it('lets no seeded secret survive, wherever it stands', () => {
    const place = fc.array(fc.oneof(name, fc.constant(0)), { maxLength: 4 });
    fc.assert(
      fc.property(seeded, place, tree, fc.boolean(), ([before, { text, secret }, after], path, other, asName) => {
        const seed: Json = asName ? { [before + text + after]: other } : before + text + after;
        const value = path.reduceRight<Json>((inner, step) => (step === 0 ? [other, inner] : { other, [step]: inner }), seed);
        expect(JSON.stringify(mask(value))).not.toContain(secret);
      }),
      { numRuns: 2000 },
    );
  });

  it('lets no text survive below a name that says it is secret', () => {
    const canary = 'k9Zs3cretQ7Lm2Xp';
    fc.assert(
      fc.property(secretNames, fc.nat({ max: 3 }), (secretName, depth) => {
        const inner = Array.from({ length: depth }).reduce<Json>((value) => [{ any: value, name: 'x' }], canary);
        expect(JSON.stringify(mask({ above: { [secretName]: inner } }))).not.toContain(canary);
      }),
      { numRuns: 300 },
    );
  });
});

describe('masking exact texts', () => {
  const secrets = ['0123456789abcdef0123456789abcdef', '0123456789abcdef0123456789abcdef-longer', 'a.b*c$d(e)[f]'];

  it('replaces them wherever they are, the longer one first', () => {
    const value = { [`x${secrets[0]}`]: [`a ${secrets[1]} b`, secrets[2] ?? '', 1, null], plain: 'aXbbbcd' };
    expect(exactMasker(secrets)(value)).toEqual({
      'x[masked:adapter-secret]': ['a [masked:adapter-secret] b', '[masked:adapter-secret]', 1, null],
      plain: 'aXbbbcd',
    });
  });

  it('gives back what has none as it is', () => {
    const value = { a: ['x'.repeat(100)] };
    expect(exactMasker(secrets)(value)).toBe(value);
    expect(exactMasker([])(value)).toBe(value);
  });

  it('does not look for texts that are too short to mean anything', () => {
    expect(exactMasker(['short', 'a', ''])({ a: 'short' })).toEqual({ a: 'short' });
    expect(exactFinder(['short', 'a', ''])('{"a":"short"}')).toBe(false);
  });

  it('is needed wherever it would change anything, which one look at the canonical text tells', () => {
    // Texts that JSON writes with escapes, and beside others that look like the end of them.
    const secret = fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', 'é', '😀', '/', ','), minLength: 8, maxLength: 10 });
    const around = fc.string({ unit: fc.constantFrom('a', '"', '\\', '\u0007', '😀'), maxLength: 3 });
    fc.assert(
      fc.property(secret, secret, around, around, fc.boolean(), (known, other, before, after, held) => {
        const text = before + (held ? known : other) + after;
        for (const value of [text, [text], { [text]: 1 }, { a: { b: text } }]) {
          const changed = canonical(exactMasker([known])(value)) !== canonical(value);
          if (changed) expect(exactFinder([known])(canonical(value))).toBe(true);
        }
      }),
    );
    expect(exactFinder(secrets)(canonical({ plain: 'aXbbbcd' }))).toBe(false);
  });
});

function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}
