import { fileURLToPath } from 'node:url';
import { createEvaluator } from '@bylaw/core/cel';
import { fixedClock } from '@bylaw/core/clock';
import { createEngine } from '@bylaw/core/evaluate';
import { POD_TEMPLATE_KINDS, type Shape, shapeOfKind } from '@bylaw/core/resource';
import { catalogueOf, packInMemory } from '@bylaw/core/rule';
import { readPack } from '@bylaw/core/rule/compiler';
import { describe, expect, it } from 'vitest';

const { pack } = await readPack(fileURLToPath(new URL('../rules', import.meta.url)), createEvaluator(), { displayAs: 'rules' });
const catalogue = catalogueOf([packInMemory(pack)], { packs: [], ruleDirs: [] });

/** Which of the rules fail on an object. */
async function failing(object: object, rules: readonly string[]): Promise<string[]> {
  const engine = createEngine({ catalogue, clock: fixedClock('2026-11-21') });
  const found: string[] = [];
  const inputs = [{ file: 'x', values: [object] }];
  for await (const event of engine.evaluate({ inputs, filter: { rules: [...rules] }, threads: 0 }))
    if (event.type === 'findings') found.push(...event.batch.findings().map((finding) => finding.rule_id));
  return [...new Set(found)];
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
    const rules = catalogue.rules.filter(({ frameworks }) => frameworks.includes(standard)).map(({ id }) => id);
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
  const listed = pathsIn(catalogue.packs[0]?.constants.host_paths);
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
