import { createEvaluator, FUNCTIONS, MACROS } from '@bylaw/core/cel';
import { shapeOfKind } from '@bylaw/core/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expressionOf } from '../expression.js';
import { evaluated } from '../policy.test-support.js';
import { podTerms } from '../target/pod-terms.js';
import { NotExportable } from '../term/not-exportable.js';
import { ANYTHING, type ObjectType, TEXT, type Type } from '../term/type.js';
import { createTranslator } from '../translate.js';

const evaluator = createEvaluator();
const pod = shapeOfKind('v1', 'Pod');
const podSpec = pod.fields.get('spec') ?? ANYTHING;
const containers: Type = podSpec.type === 'object' ? (podSpec.fields.get('containers') ?? ANYTHING) : ANYTHING;
const volumes: Type = podSpec.type === 'object' ? (podSpec.fields.get('volumes') ?? ANYTHING) : ANYTHING;

/** What the expressions of this file see. */
const INPUT: ObjectType = {
  type: 'object',
  fields: new Map<string, Type>([
    ['text', TEXT],
    ['name', TEXT],
    ['pod', pod],
    ['spec', podSpec],
    ['container', containers.type === 'list' ? containers.item : ANYTHING],
    ['volume', volumes.type === 'list' ? volumes.item : ANYTHING],
  ]),
};

/** The same expression in our dialect and in the CEL of the API server, ready to run. */
function pair(source: string): { ours: (object: object) => unknown; theirs: (object: object) => unknown } {
  const translator = createTranslator({ pod: podTerms([]), settings: { config: {}, constants: {} } });
  const text = expressionOf(translator.condition(source, INPUT));
  const program = evaluator.compile(source, { variables: ['object'], maxNodes: 2000, maxNesting: 3 });
  return { ours: (object) => program.evaluate({ object }), theirs: (object) => evaluated(text, { object }) };
}

function agree(source: string, inputs: fc.Arbitrary<object>, numRuns: number): void {
  const { ours, theirs } = pair(source);
  fc.assert(
    fc.property(inputs, (object) => {
      expect(theirs(object)).toEqual(ours(object));
    }),
    { numRuns },
  );
}

const pick = (...texts: string[]) => fc.constantFrom(...texts);
const joined = (parts: fc.Arbitrary<string>, separator: string, maxLength: number) =>
  fc.array(parts, { maxLength }).map((list) => list.join(separator));
const texts = (...parts: string[]) => joined(pick(...parts), '', 6);
/** Members may be absent, but for names: the API server requires them. */
const sparse = (fields: { [name: string]: fc.Arbitrary<unknown> }) => fc.record(fields, { requiredKeys: 'name' in fields ? ['name'] : [] });

const command = fc.array(pick('sh', '-c', 'nginx -t', '# note\nrun', 'a\n  # b\nc', '--token=abc', 'sudo x'), { maxLength: 4 });
const exec = sparse({ exec: sparse({ command }), httpGet: sparse({ host: pick('', 'x'), port: fc.constant(80) }) });
const capabilities = fc.array(pick('ALL', 'all', 'CAP_SYS_ADMIN', 'SYS_ADMIN', 'cap_bpf', 'NET_RAW'), { maxLength: 3 });
const securityContext = sparse({
  runAsUser: fc.integer({ min: 0, max: 2 }),
  runAsNonRoot: fc.boolean(),
  seccompProfile: sparse({ type: pick('Unconfined', 'RuntimeDefault') }),
  windowsOptions: sparse({ hostProcess: fc.boolean() }),
  capabilities: sparse({ add: capabilities, drop: capabilities }),
});
const mounts = fc.array(sparse({ name: pick('v', 'w'), mountPath: pick('/a', '/proc'), readOnly: fc.boolean() }), { maxLength: 3 });
const env = fc.array(sparse({ name: pick('A', 'B'), value: pick('1', '$(A)', 'x$(', '') }), { maxLength: 3 });
const image = texts(
  '',
  'docker.io',
  'nginx',
  '/',
  ':',
  '@',
  'sha256:ab',
  '@sha256:ab',
  `@sha256:${'0a'.repeat(32)}`,
  `@sha512:${'0a'.repeat(64)}`,
  '@sha256:$X',
  '1.2',
  'localhost',
  `$${'{X}'}`,
  'ghcr.io/acme',
  'index.docker.io/',
  'Registry.hub.docker.com/',
  'ko://',
  'auto',
  ' ',
);
const tag = joined(
  pick('main', 'LTS', 'latest', 'stable', 'alpine', 'alpine3.22', 'x86_64', 'deadbeef', 'SNAPSHOT', '1.2', 'v1', 'g', '', 'head2'),
  '-',
  4,
);
const container = sparse({
  name: pick('a', 'b'),
  image,
  command,
  args: command,
  env,
  volumeMounts: mounts,
  securityContext,
  lifecycle: sparse({ postStart: exec, preStop: exec }),
  livenessProbe: exec,
  readinessProbe: exec,
  startupProbe: exec,
});
const path = fc
  .tuple(pick('', '/'), joined(pick('', '.', '..', 'var', 'run', 'etc', 'proc', 'ssh', '...'), '/', 6))
  .map((parts) => parts.join(''));
const pathWithoutBacksteps = path.filter((text) => !text.split('/').includes('..'));
const volume = sparse({ name: pick('v', 'w'), hostPath: sparse({ path: pathWithoutBacksteps }) });
const windowsTerm = sparse({
  matchExpressions: fc.array(
    sparse({
      key: pick('kubernetes.io/os', 'x'),
      operator: pick('In', 'Exists'),
      values: fc.array(pick('windows', 'linux'), { maxLength: 2 }),
    }),
    { maxLength: 2 },
  ),
});
const spec = sparse({
  os: sparse({ name: pick('', 'linux', 'windows') }),
  nodeSelector: sparse({ 'kubernetes.io/os': pick('windows', 'linux'), 'beta.kubernetes.io/os': pick('windows') }),
  affinity: sparse({
    nodeAffinity: sparse({
      requiredDuringSchedulingIgnoredDuringExecution: sparse({ nodeSelectorTerms: fc.array(windowsTerm, { maxLength: 2 }) }),
    }),
  }),
  securityContext,
  containers: fc.array(container, { maxLength: 2 }),
  initContainers: fc.array(container, { maxLength: 2 }),
  ephemeralContainers: fc.array(container, { maxLength: 1 }),
  volumes: fc.array(volume, { maxLength: 2 }),
});
const metadata = sparse({
  namespace: pick('kube-system', 'shop'),
  labels: sparse({ tier: pick('control-plane', 'x') }),
  annotations: sparse({ 'kubernetes.io/config.source': pick('file'), 'kubernetes.io/config.mirror': pick('abc') }),
  ownerReferences: fc.array(sparse({ kind: pick('DaemonSet', 'Job') }), { maxLength: 2 }),
});
const name = texts(
  'db',
  'DB',
  'Password',
  'PASSWORD',
  'password',
  'Token',
  'TOKENS',
  'token',
  'Secret',
  'secret',
  'key',
  'Key',
  '_',
  '-',
  '.',
  'File',
  'FILE',
  'path',
  'Ref',
  'ca',
  'In',
  'expires',
  'policies',
  'yaml',
  'Pwd',
  'URL',
  'auth',
  'PW',
);
const value = texts(
  'hunter2',
  'true',
  '',
  ' ',
  '/etc/x',
  'a/b/c',
  'https://x/y',
  '$(X)',
  `$${'{X}'}`,
  '<x>',
  'vault:x',
  '$DB_PASSWORD',
  'EXAMPLE',
  'AKIA234567ABCDEFGHIJ',
  'glpat-abcdefghij0123456789',
  'xxxxxxxx',
  '5m',
  'ENC[',
  'web-tls',
  'app-secret',
  'Bearer ',
  'Basic ',
  'c2hvcDpodW50ZXIy',
  'hooks.slack.com/services/T01234567/B01234567/abcdefghijklmnopqrstu',
  '{"auths":{"x":{"auth":"',
  'login',
  'prod/shop/db',
);
const line = joined(
  pick(
    'run',
    '--token',
    '--token=abcd',
    '--db-password',
    'hunter2',
    '$(PW)',
    '--tls-secret=web',
    '--no-password',
    '--max-new-token',
    '512',
    '"x y"',
    '--api-key="q1w2"',
    'ns/name',
    '-p',
    'mysql',
    'mysqldump -u root',
    '-phunter2',
    '-p3306',
    'sh -c',
    ';',
    '&&',
    'curl',
    '-su',
    '--user',
    'shop:hunter2',
    '"$USER:$PASS"',
    '-H',
    '"Authorization: Bearer',
    'Bearer',
    'X-Api-Key:q1w2"',
    'DB_PASSWORD=hunter2',
    'export TOKEN=$X',
    'auth.password="q1w2",',
    'SMTP_AUTH=login',
    'redis-cli -a',
    'redis://:hunter2@cache',
    'xxxxxxxx',
    'YOUR_TOKEN',
  ),
  ' ',
  6,
);
const connection = texts(
  'redis://',
  ':hunter2@cache',
  'user:pw12@db',
  ':$(PW)@x',
  ':xxxx@x',
  '\n',
  '# ',
  ';',
  'Password=',
  'pwd = ',
  'hunter2',
  'xxx',
  '[',
  ' ',
  'AccountKey=abc123',
  '://',
  'a:PASSWORD@b',
  '?password=abcd',
);
const listed = (...items: string[]) => fc.array(pick(...items), { maxLength: 3 });
const rule = sparse({
  apiGroups: listed('', '*', 'apps', 'batch'),
  resources: listed('secrets', 'pods', 'pods/exec', '*/exec', 'deployments', '*', 'exec'),
  verbs: listed('get', 'list', '*', 'create'),
});
const subject = sparse({ kind: pick('User', 'ServiceAccount'), namespace: pick('', 'shop'), name: pick('web') });
const duration = texts('1', '1.5', 'h', 'm', 's', '0', '.', '+', 'ms');

describe('a host function in the CEL of the API server gives what it gives in ours', () => {
  it.each<[string, fc.Arbitrary<object>]>([
    ...[
      'podContainers(object.spec)',
      'isWindows(object.spec)',
      'mountedWritable(object.spec, object.volume)',
      'mountedWritable(object.spec, "v")',
    ].map((source): [string, fc.Arbitrary<object>] => [source, fc.record({ spec, volume })]),
    ...[
      ...[
        'commandItems',
        'commandLine',
        'postStartCommand',
        'hookCommands',
        'probeCommands',
        'commandLines',
        'execActions',
        'httpGetActions',
      ],
      ...['literalEnv', 'addedCapabilities', 'droppedCapabilities', 'namesImage'],
    ].map((of): [string, fc.Arbitrary<object>] => [`${of}(object.container)`, fc.record({ container })]),
    ['addsCapability(object.container, ["SYS_ADMIN", "ALL"])', fc.record({ container })],
    ['commands(object.container).filter(c, c.line.matches("run|c|nginx")).map(c, c.key + " " + c.line)', fc.record({ container })],
    ['effective(object.container, object.spec, "seccompProfile.type").orValue("none")', fc.record({ container, spec })],
    ['size(mountsOf(object.spec, object.volume)) > 0', fc.record({ spec, volume })],
    ['mountsOf(object.spec, "v").map(m, m.mount).all(m, m.?readOnly.orValue(false))', fc.record({ spec })],
    ['isMirrorPod(object.pod.metadata)', fc.record({ pod: fc.record({ metadata }) })],
    ['isStaticPod(object.pod, object.pod.metadata)', fc.record({ pod: fc.record({ metadata }) })],
    ['ownedByDaemonSet(object.pod)', fc.record({ pod: sparse({ metadata, kind: pick('DaemonSet', 'Pod') }) })],
    ['baseName(object.text)', fc.record({ text: path })],
    ['hostPathOf(object.volume)', fc.record({ volume })],
    ['cleanPath(object.text)', fc.record({ text: path })],
    ['isUnder(object.text, "/etc/ssh")', fc.record({ text: path })],
    ['isUnder(object.text, ["/proc", "/var/*/ssh"])', fc.record({ text: path })],
    ['isUnder(object.text, ["/proc", ["/var/*/ssh", "/etc"]])', fc.record({ text: path })],
    ['isUnder(object.text, object.name)', fc.record({ text: path, name: path })],
    ['isAbove(object.text, "/etc/ssh/keys")', fc.record({ text: path })],
    ['isAbove(object.text, ["/proc", ["/var/*/etc/ssh", "/run/ssh"]])', fc.record({ text: path })],
    ['isAbove(hostPathOf(object.volume), ["/run/ssh", "/etc/ssh"])', fc.record({ volume })],
    ...['tag', 'digest', 'pinned', 'host', 'registry', 'repository', 'name', 'canonical'].map((part): [string, fc.Arbitrary<object>] => [
      `image(object.text).${part}`,
      fc.record({ text: image.filter(isReference) }),
    ]),
    ['isChannelTag(object.text, ["lts", "main", "stable"])', fc.record({ text: tag })],
    ['isPlaceholder(object.text)', fc.record({ text: value })],
    ['isSecretName(object.name)', fc.record({ name })],
    ['isNoSecret(object.text)', fc.record({ text: value })],
    ['hasSecretValue(object.text)', fc.record({ text: value })],
    ['isSecretEntry(object.name, object.text)', fc.record({ name, text: value })],
    ['holdsSecret(object.name, object.text)', fc.record({ name, text: value })],
    ['size(commandSecrets(object.text)) == 0', fc.record({ text: line })],
    ['size(argumentSecrets(object.container).filter(a, size(a.secrets) > 0)) > 0', fc.record({ container })],
    ['commandArguments(object.container).map(a, a.text)', fc.record({ container })],
    ['hasConnectionPassword(object.text)', fc.record({ text: connection })],
    ['namedAccess(object.rule, ["get", "list"], ["/secrets", "/pods/exec", "apps/deployments"])', fc.record({ rule })],
    ['grantsEverything(object.rule)', fc.record({ rule })],
    ['subjectName(object.subject)', fc.record({ subject })],
    [
      'isBuiltInRole(object.pod)',
      fc.record({ pod: sparse({ metadata: sparse({ labels: sparse({ 'kubernetes.io/bootstrapping': pick('x') }) }) }) }),
    ],
    ['serviceAccountOf(object.spec)', fc.record({ spec: sparse({ serviceAccountName: pick('', 'a'), serviceAccount: pick('', 'b') }) })],
    ['seconds(object.text, -1) == -1', fc.record({ text: duration })],
  ])('%s', (source, inputs) => {
    agree(source, inputs, 100);
  });
});

/** What differs: messages show lists as the API server writes them and are cut as a whole; our checker does not type an item of mixed lists. */
const DIFFERENT = new Set([
  'show(dyn): string',
  'show(dyn, int): string',
  'execActions(dyn): list<dyn>',
  'argumentSecrets(dyn): list<dyn>',
]);

describe('an expression of our dialect', () => {
  const examples = [...FUNCTIONS, ...MACROS].filter(({ signature }) => !DIFFERENT.has(signature));

  it.each(examples.map(({ signature, example }) => [signature, example]))(
    'is true in the CEL of the API server as well, or refused: %s',
    (_, example) => {
      const translator = createTranslator({ pod: podTerms([]), settings: { config: {}, constants: {} } });
      try {
        const text = expressionOf(translator.condition(example, INPUT));
        expect(evaluated(text, { object: {} }), text).toBe(true);
      } catch (error) {
        if (!(error instanceof NotExportable)) throw error;
        expect(error.reason).toMatch(/^(?:function|nesting|set)$/);
      }
    },
  );
});

/** One colon in the last segment at most: others are not image references. */
function isReference(text: string): boolean {
  const tagged = text.split('@')[0] ?? '';
  return (/[^/]*$/.exec(tagged)?.[0].split(':').length ?? 0) <= 2;
}
