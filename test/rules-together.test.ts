import { fixedClock } from '@bylaw/core/clock';
import { createEngine, type Finding } from '@bylaw/core/evaluate';
import { POD_TEMPLATE_KINDS, type Shape, shapeOfKind } from '@bylaw/core/resource';
import { causesOf, loadCatalogue, SEVERITIES } from '@bylaw/core/rule';
import { RULE_PACKS } from '@bylaw/core/testing/rule-packs';
import { describe, expect, it } from 'vitest';

const catalogue = await loadCatalogue({ packs: RULE_PACKS });

/** The findings of some rules, or of all, on an object. */
async function findingsOn(object: object, rules?: readonly string[]): Promise<Finding[]> {
  const engine = createEngine({ catalogue, clock: fixedClock('2026-11-21') });
  const found: Finding[] = [];
  const inputs = [{ file: 'x', values: [object] }];
  for await (const event of engine.evaluate({ inputs, ...(rules && { filter: { rules: [...rules] } }), threads: 0 }))
    if (event.type === 'findings') found.push(...event.batch.findings());
  return found;
}

/** Which of the rules fail on an object. */
async function failing(object: object, rules: readonly string[]): Promise<string[]> {
  return [...new Set((await findingsOn(object, rules)).map((finding) => finding.rule_id))];
}

const pod = (spec: object) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, spec });
const rollout = (spec: object) => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Rollout',
  metadata: { name: 'x' },
  spec: { template: { spec } },
});
const ids = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => `CS-0${first + index}`);

describe('the volume types that the rules of a Pod Security Standard forbid', () => {
  // https://kubernetes.io/docs/concepts/security/pod-security-standards/; image since Kubernetes 1.33, kubernetes/kubernetes#130394
  const restricted = 'configMap csi downwardAPI emptyDir ephemeral image persistentVolumeClaim projected secret'.split(' ');
  const standards = [
    ['PSS-RESTRICTED', (type: string) => !restricted.includes(type)],
    ['PSS-BASELINE', (type: string) => type === 'hostPath'],
  ] as const;

  it.each(standards)('%s', async (standard, isForbidden) => {
    const rules = catalogue.rules
      .filter(({ frameworks }) => frameworks.some((control) => control.startsWith(`${standard}:`)))
      .map(({ id }) => id);
    expect(rules.length).toBeGreaterThan(5);
    const settings = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
    const wrong: string[] = [];
    const types = volumeTypes();
    expect(types).toEqual(expect.arrayContaining([...restricted, 'hostPath', 'gitRepo', 'nfs', 'photonPersistentDisk', 'vsphereVolume']));
    for (const type of types) {
      const spec = {
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [{ name: 'app', image: 'app', securityContext: settings }],
        volumes: [{ name: 'data', [type]: type === 'hostPath' ? { path: '/data' } : {} }],
      };
      if ((await failing(pod(spec), rules)).length > 0 !== isForbidden(type)) wrong.push(type);
    }
    expect(wrong).toEqual([]);
  });
});

/** The sources that the API knows for a volume of a Pod. */
function volumeTypes(): string[] {
  const volumes = fieldOf(fieldOf(shapeOfKind('v1', 'Pod'), 'spec'), 'volumes');
  if (volumes.type !== 'list' || volumes.item.type !== 'object') throw new Error('volumes are no list of objects');
  return [...volumes.item.fields.keys()].filter((field) => field !== 'name');
}

function fieldOf(shape: Shape, name: string): Shape {
  const field = shape.type === 'object' ? shape.fields.get(name) : undefined;
  if (field === undefined) throw new Error(`there is no field ${name}`);
  return field;
}

describe('a mount of a sensitive path of the node', () => {
  const listed = pathsIn(catalogue.packOf('CS-049')?.constants.host_paths);
  const above = [...new Set(listed.flatMap(directoriesAbove))];
  const below = listed.filter((path) => !path.endsWith('.sock')).map((path) => `${path}/x`);
  const elsewhere = ['/var/run/docker.sock', '/opt/x/containerd.sock', '/srv/.ssh', '/srv/x'];
  const paths = [...listed, ...above, ...below, ...elsewhere];

  const mounting = (path: string, readOnly: boolean) => ({
    containers: [{ name: 'app', image: 'app', volumeMounts: [{ name: 'host', mountPath: '/host', readOnly }] }],
    volumes: [{ name: 'host', hostPath: { path } }],
  });
  const notReportedOnce = async (of: readonly string[], reported: (path: string) => Promise<string[]>) => {
    const answers = await Promise.all(of.map(async (path) => [path, await reported(path)] as const));
    return answers.filter(([, rules]) => rules.length !== 1);
  };

  it('is reported by one rule where it is writable', async () => {
    expect(above).toEqual(expect.arrayContaining(['/', '/etc', '/opt', '/run', '/var', '/var/lib', '/var/lib/rancher/k3s/agent']));
    expect(await notReportedOnce(paths, (path) => failing(pod(mounting(path, false)), ids(49, 68)))).toEqual([]);
  });

  it('is reported by one rule where it is read-only and reading is enough', async () => {
    const read = [
      '/',
      '/etc',
      '/run',
      '/var',
      '/var/lib',
      '/var/lib/kubelet',
      '/var/lib/rancher',
      '/etc/kubernetes',
      '/root/.kube',
      '/etc/shadow',
    ];
    expect(await notReportedOnce(read, (path) => failing(pod(mounting(path, true)), ids(49, 68)))).toEqual([]);
  });

  it('is reported by one rule in the pod template of a custom resource, however it is mounted', async () => {
    for (const readOnly of [false, true])
      expect(await notReportedOnce(paths, (path) => failing(rollout(mounting(path, readOnly)), [...ids(46, 73), 'CS-099']))).toEqual([]);
  });

  it('is as severe as the worst path that it holds', async () => {
    const severities = new Map(catalogue.rules.map(({ id, severity }) => [id, severity]));
    const severityOf = async (path: string) => (await failing(pod(mounting(path, false)), ids(49, 68))).map((id) => severities.get(id));
    for (const path of ['/', '/etc', '/run', '/var', '/var/lib', '/var/lib/rancher', '/var/lib/rancher/k3s/agent', '/var/lib/k0s'])
      expect([path, await severityOf(path)]).toEqual([path, ['CRITICAL']]);
    for (const path of ['/opt', '/var/spool']) expect([path, await severityOf(path)]).toEqual([path, ['HIGH']]);
  });
});

/** The listed paths, with a name for what may have any. */
function pathsIn(groups: unknown): string[] {
  const lists = Object.values(groups ?? {}).flat();
  return lists.filter((path) => typeof path === 'string').map((path) => path.replace('*', 'k3s'));
}

function directoriesAbove(path: string): string[] {
  const segments = path.split('/').slice(1, -1);
  return ['/', ...segments.map((_, index) => `/${segments.slice(0, index + 1).join('/')}`)];
}

describe('the rules about pod templates of custom resources', () => {
  const logics = catalogue.rules.flatMap(({ id, logic }) => logic.map((one) => ({ id, ...one })));
  const custom = logics.filter(({ each }) => /templateContainers|templateVolumes|podTemplates/.test(String(each)));

  it('look at all kinds that are known to carry pod templates', () => {
    expect(new Set(custom.map(({ id }) => id))).toEqual(
      new Set(['CS-053', 'CS-054', 'CS-055', 'CS-056', 'CS-057', 'CS-099', 'CS-100', 'SC-004', 'SP-001', 'SP-002', 'SP-005']),
    );
    for (const { id, targets } of custom) expect([id, targets.toSorted()]).toEqual([id, POD_TEMPLATE_KINDS.toSorted()]);
  });
});

describe('a rule that is a consequence of another', () => {
  it('is at most as severe as the cause, so that folding it hides nothing worse', () => {
    const rank = new Map(catalogue.rules.map(({ id, severity }) => [id, SEVERITIES.indexOf(severity)]));
    const wrong = catalogue.rules.flatMap((rule) =>
      causesOf(rule)
        .filter((cause) => (rank.get(cause) ?? 0) > SEVERITIES.indexOf(rule.severity))
        .map((cause) => `${rule.id} → ${cause}`),
    );
    expect(wrong).toEqual([]);
  });

  it('leaves at most thirteen findings of a Pod with one plain container', async () => {
    const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'a', controller: true }];
    const metadata = { name: 'web', namespace: 'shop', labels: { 'app.kubernetes.io/name': 'web' }, ownerReferences };
    const found = await findingsOn({ ...pod({ containers: [{ name: 'app', image: 'nginx:1.27' }] }), metadata });
    const shown = found.filter(({ caused_by, severity }) => caused_by === undefined && severity !== 'INFO');
    expect(shown.map(({ rule_id }) => rule_id).sort()).toEqual([
      'CS-002',
      'CS-010',
      'CS-021',
      'CS-023',
      'CS-024',
      'CS-028',
      'CS-044',
      'NS-001',
      'RM-001',
      'RM-004',
      'RM-026',
      'SC-002',
      'SC-007',
    ]);
  });

  const container = (more: object) => pod({ containers: [{ name: 'app', image: 'r.example/app:1', ...more }] });
  const security = (securityContext: object) => container({ securityContext });
  const adding = (...add: string[]) => security({ capabilities: { add, drop: ['ALL'] } });
  const variable = (name: string, value: string) => container({ env: [{ name, value }] });
  const gpus = (requests: string, limits: string) => ({ requests: { 'nvidia.com/gpu': requests }, limits: { 'nvidia.com/gpu': limits } });
  const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
  const hostPath = (path: string) =>
    pod({
      volumes: [{ name: 'v', hostPath: { path } }],
      containers: [{ name: 'app', image: 'app', volumeMounts: [{ name: 'v', mountPath: '/v' }] }],
    });

  it.each([
    ['a privileged container', security({ privileged: true }), 'CS-002 CS-010 CS-011 CS-028 CS-034 → CS-001'],
    ['capabilities of the node', adding('SYS_ADMIN'), 'CS-012 CS-013 → CS-014'],
    ['several capabilities of the node', adding('NET_ADMIN', 'SYS_MODULE'), 'CS-012 CS-013 → CS-015'],
    ['one of the default capabilities beside another one', adding('CHOWN', 'SYS_ADMIN'), 'CS-012 → CS-014'],
    ['a capability that no other rule is about', adding('SYS_TIME', 'SYS_ADMIN'), 'CS-013 → CS-012'],
    ['raw sockets', adding('NET_RAW'), 'CS-012 CS-013 → CS-011'],
    ['ALL in lower case', security({ capabilities: { drop: ['all'] } }), 'CS-010 → CS-020'],
    ['an empty security context', container({ securityContext: {} }), 'CS-042 → CS-002, CS-042 CS-009 → CS-021'],
    ['UID 0 against runAsNonRoot', security({ runAsNonRoot: true, runAsUser: 0 }), 'CS-022 → CS-026'],
    ['a directory with credentials', hostPath('/etc/kubernetes'), 'CS-048 CS-070 → CS-053'],
    ['a directory that is sensitive only if writable', hostPath('/opt/bin'), 'CS-070 → CS-048'],
    ['an image without a tag', container({ image: 'r.example/app' }), 'SC-002 → SC-001'],
    ['an image of a channel', container({ image: 'r.example/app:main' }), 'SC-002 SC-005 → SC-003'],
    ['an image with a tag', container({}), 'SC-005 → SC-002'],
    ['a token in a variable that is named so', variable('API_TOKEN', token), 'SP-001 → SP-002'],
    ['a password in an address', variable('DB_PASSWORD', 'postgres://shop:hunter2@db/shop'), 'SP-001 → SP-009'],
    ['a port of the node', container({ ports: [{ containerPort: 80, hostPort: 80 }] }), 'CS-008 → CS-007'],
    ['a container without resources', container({}), 'RM-002 → RM-004, RM-003 → RM-001, RM-005 → CS-044'],
    ['more devices than the limit', container({ resources: gpus('2', '1') }), 'RM-028 → RM-007'],
    ['an SSH server', container({ ports: [{ containerPort: 22 }] }), 'CS-074 → CS-075'],
  ])('is known to be one for %s', async (_, object, expected) => {
    const found = await findingsOn(object);
    const pairs = found.flatMap(({ rule_id, caused_by }) => (caused_by === undefined ? [] : `${rule_id} → ${caused_by}`));
    const wanted = expected.split(', ').flatMap((group) => {
      const [rules = '', cause] = group.split(' → ');
      return rules.split(' ').map((rule) => `${rule} → ${cause}`);
    });
    expect(pairs).toEqual(expect.arrayContaining(wanted));
  });

  it('stands for itself where the fix of the other does not mend it', async () => {
    const ownCause = async (object: object, rule: string) => (await findingsOn(object)).find(({ rule_id }) => rule_id === rule)?.caused_by;
    expect(await ownCause(adding('SYS_TIME', 'CHOWN'), 'CS-013')).toBeUndefined();
    expect(await ownCause(adding('SYS_TIME', 'SYS_ADMIN'), 'CS-012')).toBeUndefined();
    expect(await ownCause(security({ capabilities: { add: ['NET_RAW'] } }), 'CS-011')).toBeUndefined();
    expect(await ownCause(hostPath('/opt/bin'), 'CS-048')).toBeUndefined();
    const unconfined = {
      containers: [{ name: 'app', image: 'app', securityContext: { privileged: true } }],
      securityContext: { seccompProfile: { type: 'Unconfined' } },
    };
    expect(await ownCause(pod(unconfined), 'CS-029')).toBeUndefined();
  });
});
