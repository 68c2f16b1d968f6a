import { describe, expect, it } from 'vitest';
import { createEvaluator } from '../create.js';

function evaluate(source: string, scope: { [name: string]: unknown }): unknown {
  return createEvaluator()
    .compile(source, { variables: Object.keys(scope), maxNodes: 2000, maxNesting: 3 })
    .evaluate(scope);
}

describe('capabilities', () => {
  const container = { securityContext: { capabilities: { add: ['CAP_sys_admin', 'net_raw', 7], drop: ['all', 'ALL', 'CAP_MKNOD'] } } };

  it('are compared without CAP_ and case when added, and kept as written when dropped', () => {
    expect(evaluate('addedCapabilities(c)', { c: container })).toEqual(['SYS_ADMIN', 'NET_RAW']);
    expect(
      evaluate('addsCapability(c, ["SYS_ADMIN"]) && addsCapability(c, ["cap_net_raw"]) && !addsCapability(c, ["ALL"])', { c: container }),
    ).toBe(true);
    expect(evaluate('droppedCapabilities(c)', { c: container })).toEqual(['all', 'ALL', 'CAP_MKNOD']);
  });
});

describe('the effective security context', () => {
  it("is the container's field, else the Pod's", () => {
    const scope = {
      c: { securityContext: { runAsNonRoot: false, windowsOptions: {} } },
      p: { securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' }, windowsOptions: { runAsUserName: 'x' } } },
    };
    expect(evaluate('effective(c, p, "runAsNonRoot").value()', scope)).toBe(false);
    expect(evaluate('effective(c, p, "seccompProfile.type").value()', scope)).toBe('RuntimeDefault');
    expect(evaluate('effective(c, p, "windowsOptions.runAsUserName").value()', scope)).toBe('x');
    expect(evaluate('effective(c, p, "runAsUser").hasValue()', scope)).toBe(false);
  });
});

describe('commands', () => {
  const c = {
    command: ['sh', 1, '-c'],
    args: ['echo hi'],
    lifecycle: { postStart: { exec: { command: ['a', 'b'] } }, preStop: { httpGet: {} } },
    readinessProbe: { exec: { command: ['cat', '/ok'] } },
  };

  it('are joined by spaces, items that are no texts left out', () => {
    expect(evaluate('[commandLine(c), postStartCommand(c)]', { c })).toEqual(['sh -c echo hi', 'a b']);
    expect(evaluate('commandLines(c)', { c })).toEqual(['sh -c echo hi', 'a b', 'cat /ok']);
    expect(evaluate('[hookCommands(c), probeCommands(c)]', { c })).toEqual([['a b'], ['cat /ok']]);
    expect(evaluate('commandLine(c) + commandLines(c).join("")', { c: 'x' })).toBe('');
  });
});

describe('literal variables', () => {
  it('are the items of env themselves, so that a finding can be located', () => {
    const env = [
      { name: 'A', value: '1' },
      { name: 'B', value: 'x$(A)' },
      { name: 'C', valueFrom: {} },
      { name: 'D', value: '$HOME $$' },
      'x',
      { value: 'y' },
    ];
    expect(evaluate('literalEnv(c)', { c: { env } })).toEqual([env[0], env[3]]);
    expect((evaluate('literalEnv(c)', { c: { env } }) as unknown[])[0]).toBe(env[0]);
  });
});

describe('volumes', () => {
  const p = {
    containers: [
      {
        name: 'a',
        volumeMounts: [
          { name: 'v', readOnly: true },
          { name: 'w', readOnly: 'true' },
        ],
      },
      'x',
    ],
    initContainers: [{ name: 'b', volumeMounts: [{ name: 'v', readOnly: true }] }],
    ephemeralContainers: [{ name: 'c', volumeMounts: [{ name: 'u' }, null] }],
  };

  it('are mounted writable unless every mount of all three lists says readOnly: true', () => {
    expect(evaluate('["u", "v", "w", "x"].map(n, mountedWritable(p, n))', { p })).toEqual([true, false, true, false]);
    expect(evaluate('mountedWritable(p, {"name": "u"}) && mountsOf(p, "v").map(m, m.container.name) == ["a", "b"]', { p })).toBe(true);
  });

  it('are cleaned host paths', () => {
    expect(evaluate('hostPathOf(v)', { v: { hostPath: { path: '/var/run/docker.sock/' } } })).toBe('/run/docker.sock');
    expect(evaluate('hostPathOf(v)', { v: { hostPath: { path: 1 } } })).toBe('');
  });
});

describe('static Pods and DaemonSets', () => {
  it('are told by annotation, label and owner', () => {
    const system = { metadata: { namespace: 'kube-system' } };
    expect(evaluate('isStaticPod(o, m)', { o: {}, m: { annotations: { 'kubernetes.io/config.mirror': 'x' } } })).toBe(true);
    expect(evaluate('isStaticPod(o, m)', { o: system, m: { labels: { tier: 'control-plane' } } })).toBe(true);
    expect(evaluate('isStaticPod(o, m)', { o: {}, m: { labels: { tier: 'control-plane' } } })).toBe(false);
    expect(evaluate('ownedByDaemonSet(o)', { o: { kind: 'DaemonSet' } })).toBe(true);
    expect(evaluate('ownedByDaemonSet(o)', { o: { kind: 'Pod', metadata: { ownerReferences: [{ kind: 'ReplicaSet' }] } } })).toBe(false);
  });
});

describe('agents of the node', () => {
  const isNodeAgent = (o: unknown, s: unknown) => evaluate('isNodeAgent(o, s)', { o, s });

  it('are DaemonSets, their Pods, and Pods with directories of the host', () => {
    expect(isNodeAgent({ kind: 'DaemonSet' }, {})).toBe(true);
    expect(isNodeAgent({ kind: 'Pod', metadata: { ownerReferences: [{ kind: 'DaemonSet' }] } }, {})).toBe(true);
    expect(isNodeAgent({ kind: 'Deployment' }, { volumes: [{ emptyDir: {} }, { hostPath: { path: '/var/log' } }] })).toBe(true);
    expect(isNodeAgent({ kind: 'Deployment' }, { volumes: [{ emptyDir: {} }] })).toBe(false);
    expect(isNodeAgent({}, { volumes: 'all' })).toBe(false);
    expect(isNodeAgent(1, null)).toBe(false);
  });
});

describe('selectors', () => {
  const labels = { app: 'web', tier: 'front' };
  it.each([
    [{}, true],
    [{ matchLabels: { app: 'web' } }, true],
    [{ matchLabels: { app: 'web', tier: 'back' } }, false],
    [{ matchExpressions: [{ key: 'app', operator: 'In', values: ['api', 'web'] }] }, true],
    [{ matchExpressions: [{ key: 'x', operator: 'In', values: ['web'] }] }, false],
    [{ matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['web'] }] }, false],
    [{ matchExpressions: [{ key: 'x', operator: 'NotIn', values: ['web'] }] }, true],
    [{ matchExpressions: [{ key: 'app', operator: 'Exists' }] }, true],
    [{ matchExpressions: [{ key: 'x', operator: 'Exists' }] }, false],
    [{ matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] }, false],
    [{ matchLabels: { app: 'web' }, matchExpressions: [{ key: 'x', operator: 'Exists' }] }, false],
    [{ matchExpressions: [{ key: 'app', operator: 'Near' }] }, false],
    [null, false],
    ['app=web', false],
  ])('%j: %s', (selector, expected) => {
    expect(evaluate('selects(s, l)', { s: selector, l: labels })).toBe(expected);
  });
});

describe('parsing inside a document', () => {
  it('reads YAML as Kubernetes does', () => {
    expect(evaluate('parseYaml(t)', { t: 'a: 0777\nb: on\nc: 1e3\nd: "yes"' })).toEqual({ a: 511, b: true, c: 1000, d: 'yes' });
    expect(evaluate('parseYamlDocuments(t)', { t: 'a: 1\n---\nb: 2\n' })).toEqual([{ a: 1 }, { b: 2 }]);
  });

  it('gives null for what is not valid, too large or too deep', () => {
    const deep = (n: number) => `${'['.repeat(n)}${']'.repeat(n)}`;
    expect(evaluate('parseJson(t) != null', { t: deep(100) })).toBe(true);
    for (const t of ['', '{', deep(101), deep(200_000), `"${'x'.repeat(1024 * 1024)}"`, 1, null])
      expect(evaluate('parseJson(t)', { t })).toBeNull();
    for (const t of ['a: [', 'a: 1\na: 2', '\ta: 1', deep(101), 'x'.repeat(1024 * 1024 + 1)])
      expect(evaluate('parseYaml(t)', { t })).toBeNull();
  });

  it('does not expand an alias bomb', () => {
    const bomb = [
      'a0: &a0 [x, x, x, x, x, x, x, x, x]',
      ...[1, 2, 3, 4, 5, 6, 7].map((i) => `a${i}: &a${i} [${Array.from({ length: 9 }, () => `*a${i - 1}`).join(', ')}]`),
    ].join('\n');
    const started = performance.now();
    expect(evaluate('parseYaml(t)', { t: bomb })).toBeNull();
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(evaluate('parseYaml(t).b.c', { t: 'a: &a {c: 1}\nb: *a' })).toBe(1);
  });

  it('is safe from prototype keys', () => {
    const t = '{"__proto__": {"polluted": true}, "constructor": {"prototype": 1}, "a": 1}';
    expect(evaluate('[parseJson(t).a, parseJson(t)["constructor"].?prototype.orValue(0)]', { t })).toEqual([1, 1]);
    expect(evaluate('has(p.polluted)', { p: evaluate('parseJson(t)', { t }) })).toBe(false);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('decodes base64 with or without padding and line breaks', () => {
    expect(evaluate('["aGVsbG8=", "aGVsbG8", "aGVs\\nbG8=", ""].map(t, base64Decode(t))', {})).toEqual(['hello', 'hello', 'hello', '']);
    expect(evaluate('["a", "a b", "aGVsbG8*", "=="].map(t, base64Decode(t) == null || base64Decode(t) == "")', {})).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });
});

describe('showing a value', () => {
  it.each([
    ['text', 'text'],
    [1.5, '1.5'],
    [true, 'true'],
    [null, 'absent'],
    [{ a: [1, 'b', null] }, '{"a":[1,"b",absent]}'],
    ['two\nlines\u001b[31m', 'two\\nlines\\u001b[31m'],
    ['x'.repeat(80), 'x'.repeat(80)],
    ['x'.repeat(81), `${'x'.repeat(79)}…`],
    ['😀'.repeat(81), `${'😀'.repeat(79)}…`],
  ])('%j as %s', (value, text) => {
    expect(evaluate('show(x)', { x: value })).toBe(text);
  });

  it('stays cheap for a large value', () => {
    const large = Array.from({ length: 100_000 }, (_, i) => ({ i }));
    expect(evaluate('show(x).size()', { x: large })).toBe(80n);
  });
});

describe('durations', () => {
  it.each([
    ['2400h', 8_640_000],
    ['1h30m10s', 5_410],
    ['1.5h', 5_400],
    ['-1m', -60],
    ['100ms', 0.1],
    ['0', 0],
    ['0h', 0],
    ['1d', -1],
    ['1', -1],
    ['', -1],
    ['h', -1],
    [1, -1],
  ])('%j is %d seconds', (text, seconds) => {
    expect(evaluate('seconds(t, -1) == s', { t: text, s: seconds })).toBe(true);
  });
});
