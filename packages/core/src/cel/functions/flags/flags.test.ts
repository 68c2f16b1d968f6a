// biome-ignore-all lint/suspicious/noTemplateCurlyInString: a shell has variables of this form
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UnknownError } from '../../../undecided.js';
import { createEvaluator } from '../../create.js';
import { UndecidedError } from '../../evaluator.js';
import { originOf } from '../../origin.js';

const evaluator = createEvaluator();
const evaluate = (source: string, object: unknown) =>
  evaluator.compile(source, { variables: ['object'], maxNodes: 2000, maxNesting: 3 }).evaluate({ object });

/** The items of `flag(object, component, name)` with where each stands. */
function flags(
  object: unknown,
  component: string,
  name: string,
): { value: string; path: string | undefined; item: Record<string, unknown> }[] {
  const items = evaluate(`flag(object, "${component}", "${name}")`, object);
  if (!Array.isArray(items)) throw new Error('flag must give a list');
  return items.map((item) => ({ value: item.value, path: originOf(item)?.path, item }));
}

const values = (object: unknown, component: string, name: string) => flags(object, component, name).map(({ value }) => value);
const paths = (object: unknown, component: string, name: string) => flags(object, component, name).map(({ path }) => path);

const pod = (container: object) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  spec: { containers: [{ name: 'sidecar' }, { name: 'main', ...container }] },
});
const apiServer = (...words: string[]) => pod({ command: ['kube-apiserver', ...words] });

describe('flags of a container', () => {
  it.each([
    ['--flag=value', ['--audit-log-maxage=30'], '30'],
    ['--flag value', ['--audit-log-maxage', '30'], '30'],
    ['-flag=value', ['-audit-log-maxage=30'], '30'],
    ['-flag value', ['-audit-log-maxage', '30'], '30'],
    ['underscores', ['--audit_log_maxage=30'], '30'],
    ['no value', ['--audit-log-maxage', '--profiling'], 'true'],
    ['the last of several', ['--audit-log-maxage=1', '--audit-log-maxage=30'], '30'],
    ['an equals sign in the value', ['--audit-log-maxage=a=b'], 'a=b'],
    ['an empty value', ['--audit-log-maxage='], ''],
  ])('are read as %s', (_, words, expected) => {
    expect(values(apiServer(...words), 'kube-apiserver', 'audit-log-maxage')).toEqual([expected]);
  });

  it('add up if they are lists', () => {
    const object = apiServer(
      '--feature-gates=A=true,B=false',
      '--enable-admission-plugins=X',
      '--enable-admission-plugins',
      'Y, Z',
      '--feature-gates=A=F',
    );
    expect(flags(object, 'kube-apiserver', 'enable-admission-plugins')[0]?.item['list']).toEqual(['X', 'Y', 'Z']);
    expect(flags(object, 'kube-apiserver', 'feature-gates')[0]?.item['pairs']).toEqual({ A: 'false', B: 'false' });
  });

  it.each([
    ['true', [true, false]],
    ['T', [true, false]],
    ['1', [true, false]],
    ['False', [false, true]],
    ['0', [false, true]],
    ['yes', [false, false]],
  ])('are truth values as Go reads them: %s', (value, [on, off]) => {
    expect(flags(apiServer(`--profiling=${value}`), 'kube-apiserver', 'profiling')[0]?.item).toMatchObject({ on, off });
  });

  it('are placed at their argument, or at the list of arguments if they are absent', () => {
    expect(paths(apiServer('--a', '--profiling=false'), 'kube-apiserver', 'profiling')).toEqual(['/spec/containers/1/command/2']);
    expect(paths(pod({ command: ['kube-apiserver'], args: ['--profiling=false'] }), 'kube-apiserver', 'profiling')).toEqual([
      '/spec/containers/1/args/0',
    ]);
    expect(paths(pod({ args: ['kube-apiserver'] }), 'kube-apiserver', 'profiling')).toEqual(['/spec/containers/1/args']);
  });

  it.each([
    ['a path', { command: ['/usr/local/bin/kube-apiserver', '--v=3'] }],
    ['a wrapper', { command: ['/go-runner', '--log-file=/var/log/x.log', '/usr/local/bin/kube-apiserver', '--v=3'] }],
    ['a shell', { command: ['/bin/sh', '-c', 'exec kube-apiserver --v=3'] }],
    ['a shell with more options', { command: ['/bin/bash', '-o', 'errexit', '-ec'], args: ['kube-apiserver --v=3'] }],
    ['a script of several lines', { command: ['sh', '-c'], args: ['set -e\nexec kube-apiserver \\\n  --v=3 \\\n  --profiling=false\n'] }],
    ['commands before it', { command: ['sh', '-c', 'ulimit -n 65536; GOGC=50 exec kube-apiserver --v=3 1>>/var/log/x.log 2>&1'] }],
    ['quotes', { command: ['sh', '-c', 'kube-apiserver "--v=3" \'--a=b c\''] }],
    ['a comment', { command: ['sh', '-c', '# kube-apiserver --v=9\nkube-apiserver --v=3 # --v=8'] }],
    ['a command in one text', { command: ['kube-apiserver --v=3'] }],
    ['a variable of the container', { command: ['kube-apiserver', '--v=$(LEVEL)'], env: [{ name: 'LEVEL', value: '3' }] }],
  ])('are found behind %s', (_, container) => {
    expect(values(pod(container), 'kube-apiserver', 'v')).toEqual(['3']);
  });

  it('say in which line of a script they stand', () => {
    const object = pod({ command: ['sh', '-c', 'set -e\nkube-apiserver \\\n  --v=3\n'] });
    expect(flags(object, 'kube-apiserver', 'v')[0]).toMatchObject({ path: '/spec/containers/1/command/2', item: { line: 3n } });
  });

  it.each([
    ['the next command', '--v=3 && echo --profiling=false'],
    ['a pipe', '--v=3 | tee --profiling=false'],
    ['a list of commands in the background', '--v=3 & echo --profiling=false'],
  ])('end at %s', (_, words) => {
    expect(values(pod({ command: ['sh', '-c', `kube-apiserver ${words}`] }), 'kube-apiserver', 'profiling')).toEqual(['']);
  });

  it('go on after a redirection', () => {
    const script = 'kube-apiserver --v=3 2>/dev/null >> /var/log/x.log --profiling=false';
    expect(values(pod({ command: ['sh', '-c', script] }), 'kube-apiserver', 'profiling')).toEqual(['false']);
  });

  it.each([
    ['the name as an argument of another program', { command: ['kube-bench', '--targets', 'kube-apiserver', 'etcd'] }],
    ['the name in a script of another program', { command: ['sh', '-c', 'until nc -z etcd 2379; do sleep 1; done; app etcd'] }],
    ['a longer name', { command: ['kube-apiserver-proxy'] }],
    ['an image only', { image: 'registry.k8s.io/kube-apiserver:v1.36.0' }],
    ['words that are no text', { command: [{ a: 1 }, 7, null] }],
  ])('are none for %s', (_, container) => {
    for (const component of ['kube-apiserver', 'etcd']) expect(values(pod(container), component, 'v')).toEqual([]);
  });

  it('of a kubelet are only those that are set: its file decides on all others', () => {
    const object = pod({ command: ['kubelet', '--config=/etc/kubelet.yaml', '--read-only-port=10255'] });
    expect([values(object, 'kubelet', 'read-only-port'), values(object, 'kubelet', 'anonymous-auth')]).toEqual([['10255'], []]);
  });

  it('come from the first container of the component', () => {
    const spec = { containers: [{ command: ['etcd', '--v=1'] }, { command: ['etcd', '--v=2'] }, { command: ['kube-scheduler', '--v=3'] }] };
    const object = { apiVersion: 'v1', kind: 'Pod', spec };
    expect([values(object, 'etcd', 'v'), values(object, 'kube-scheduler', 'v')]).toEqual([['1'], ['3']]);
    expect(evaluate('flag(object, ["etcd", "kube-scheduler"], ["v", "w"]).map(f, f.component + " " + f.name + f.value)', object)).toEqual([
      'etcd v1',
      'etcd w',
      'kube-scheduler v3',
      'kube-scheduler w',
    ]);
  });

  it('are variables of etcd, too, unless the flag is there', () => {
    const env = [
      { name: 'ETCD_CERT_FILE', value: '/a' },
      { name: 'ETCD_KEY_FILE', value: '/b' },
    ];
    const object = pod({ command: ['etcd', '--key-file=/c'], env });
    expect([values(object, 'etcd', 'cert-file'), values(object, 'etcd', 'key-file')]).toEqual([['/a'], ['/c']]);
    expect(paths(object, 'etcd', 'cert-file')).toEqual(['/spec/containers/1/env/0']);
    expect(values(pod({ command: ['kube-apiserver'], env }), 'kube-apiserver', 'cert-file')).toEqual(['']);
  });

  it.each([
    ['a variable that can add flags', { command: ['sh', '-c', 'kube-apiserver $FLAGS'] }, 'kube-apiserver'],
    ['a command that prints flags', { command: ['sh', '-c', 'kube-apiserver $(cat /etc/flags)'] }, 'kube-apiserver'],
    ['a variable with a default', { command: ['sh', '-c', 'kube-apiserver ${FLAGS:---v=1}'] }, 'kube-apiserver'],
    ['a variable from elsewhere', { command: ['kube-apiserver', '$(FLAGS)'], env: [{ name: 'FLAGS', valueFrom: {} }] }, 'kube-apiserver'],
    ['a value from elsewhere', { command: ['kube-apiserver', '--v=$(LEVEL)'] }, 'kube-apiserver'],
    ['a configuration file of etcd', { command: ['etcd', '--config-file=/etc/etcd.yaml'] }, 'etcd'],
    ['variables of etcd from elsewhere', { command: ['etcd'], envFrom: [{ secretRef: { name: 'a' } }] }, 'etcd'],
    ['a variable of etcd from elsewhere', { command: ['etcd'], env: [{ name: 'ETCD_V', valueFrom: {} }] }, 'etcd'],
  ])('are not known with %s', (_, container, component) => {
    expect(() => values(pod(container), component, 'v')).toThrow(UndecidedError);
  });

  it('are known with a variable if they are set themselves', () => {
    expect(values(pod({ command: ['sh', '-c', 'kube-apiserver --v=3 $FLAGS'] }), 'kube-apiserver', 'v')).toEqual(['3']);
  });
});

const KEYS = { 'kube-apiserver': 'apiServer', 'kube-controller-manager': 'controllerManager', 'kube-scheduler': 'scheduler' } as const;
type Component = keyof typeof KEYS;
type Flags = readonly (readonly [string, string])[];
const asMap = (all: Flags) => Object.fromEntries(all);
const asList = (all: Flags) => all.map(([name, value]) => ({ name, value }));
const words = (all: Flags) => all.map(([name, value]) => `--${name}=${value}`);
const camel = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
const cluster = (component: Component, extraArgs: unknown, version: string) => ({
  apiVersion: `kubeadm.k8s.io/${version}`,
  kind: 'ClusterConfiguration',
  [KEYS[component]]: { extraArgs },
});
const controlPlane = (component: Component, extraArgs: unknown, version: string) => ({
  apiVersion: `controlplane.cluster.x-k8s.io/${version}`,
  kind: 'KubeadmControlPlane',
  spec: { kubeadmConfigSpec: { clusterConfiguration: { [KEYS[component]]: { extraArgs } } } },
});
const KOPS = { 'kube-apiserver': 'kubeAPIServer', 'kube-controller-manager': 'kubeControllerManager', 'kube-scheduler': 'kubeScheduler' };

const TALOS = {
  'kube-apiserver': 'KubeAPIServerConfig',
  'kube-controller-manager': 'KubeControllerManagerConfig',
  'kube-scheduler': 'KubeSchedulerConfig',
};

/** The same flags of a component of the control plane, written through each source. */
const CONTROL_PLANE: { readonly [source: string]: (component: Component, all: Flags) => unknown } = {
  'a Pod with --a=b': (component, all) => pod({ command: [component, ...words(all)] }),
  'a Pod with --a b': (component, all) => pod({ command: [component], args: all.flatMap(([name, value]) => [`--${name}`, value]) }),
  'a Pod with -a=b': (component, all) => pod({ command: [component, ...all.map(([name, value]) => `-${name}=${value}`)] }),
  'a shell script': (component, all) => pod({ command: ['/bin/sh', '-c', `exec ${component} ${words(all).join(' \\\n  ')} 2>&1`] }),
  'kubeadm with a map': (component, all) => cluster(component, asMap(all), 'v1beta3'),
  'kubeadm with a list': (component, all) => cluster(component, asList(all), 'v1beta4'),
  'KubeadmControlPlane with a map': (component, all) => controlPlane(component, asMap(all), 'v1beta1'),
  'KubeadmControlPlane with a list': (component, all) => controlPlane(component, asList(all), 'v1beta2'),
  kOps: (component, all) => ({
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'Cluster',
    spec: { [KOPS[component]]: Object.fromEntries(all.map(([name, value]) => [camel(name), value])) },
  }),
  k3s: (component, all) => ({ apiVersion: 'k3s/v1', kind: 'Config', [`${component}-arg`]: all.map(([name, value]) => `${name}=${value}`) }),
  RKE2: (component, all) => ({ apiVersion: 'rke2/v1', kind: 'Config', [`${component}-arg+`]: words(all) }),
  'a document of Talos': (component, all) => ({ apiVersion: 'talos/v1alpha1', kind: TALOS[component], extraArgs: asMap(all) }),
  Talos: (component, all) => ({
    apiVersion: 'talos/v1alpha1',
    kind: 'MachineConfig',
    cluster: { [KEYS[component]]: { extraArgs: asMap(all) } },
  }),
};

const register = (kind: string, extra: object) => ({ apiVersion: 'kubeadm.k8s.io/v1beta4', kind, nodeRegistration: extra });
/** The same flags of the kubelet, written through each source of flags. */
const KUBELET: { readonly [source: string]: (all: Flags) => unknown } = {
  InitConfiguration: (all) => register('InitConfiguration', { kubeletExtraArgs: asList(all) }),
  JoinConfiguration: (all) => register('JoinConfiguration', { kubeletExtraArgs: asMap(all) }),
  KubeadmControlPlane: (all) => ({
    apiVersion: 'controlplane.cluster.x-k8s.io/v1beta1',
    kind: 'KubeadmControlPlane',
    spec: { kubeadmConfigSpec: { initConfiguration: { nodeRegistration: { kubeletExtraArgs: asMap(all) } } } },
  }),
  KubeadmConfig: (all) => ({
    apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta1',
    kind: 'KubeadmConfig',
    spec: { joinConfiguration: { nodeRegistration: { kubeletExtraArgs: asMap(all) } } },
  }),
  KubeadmConfigTemplate: (all) => ({
    apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2',
    kind: 'KubeadmConfigTemplate',
    spec: { template: { spec: { joinConfiguration: { nodeRegistration: { kubeletExtraArgs: asList(all) } } } } },
  }),
  k3s: (all) => ({ apiVersion: 'k3s/v1', kind: 'Config', 'kubelet-arg': all.map(([name, value]) => `${name}=${value}`) }),
  Talos: (all) => ({ apiVersion: 'talos/v1alpha1', kind: 'MachineConfig', machine: { kubelet: { extraArgs: asMap(all) } } }),
};

const local = (etcd: object) => ({ apiVersion: 'kubeadm.k8s.io/v1beta4', kind: 'ClusterConfiguration', etcd: { local: etcd } });
const variable = (name: string) => `ETCD_${name.toUpperCase().replaceAll('-', '_')}`;
/** The same flags of etcd, written through each source. */
const ETCD: { readonly [source: string]: (all: Flags) => unknown } = {
  'a Pod with --a=b': (all) => pod({ command: ['etcd', ...words(all)] }),
  'a Pod with variables': (all) => pod({ command: ['etcd'], env: all.map(([name, value]) => ({ name: variable(name), value })) }),
  'a Pod with arguments only': (all) => ({ apiVersion: 'v1', kind: 'Pod', spec: { containers: [{ name: 'etcd', args: words(all) }] } }),
  'kubeadm with a list': (all) => local({ extraArgs: asList(all) }),
  'kubeadm with a map': (all) => local({ extraArgs: asMap(all) }),
  k3s: (all) => ({ apiVersion: 'k3s/v1', kind: 'Config', 'etcd-arg': words(all) }),
  Talos: (all) => ({ apiVersion: 'talos/v1alpha1', kind: 'MachineConfig', cluster: { etcd: { extraArgs: asMap(all) } } }),
};

describe('flags in every source', () => {
  // Values that no shell and no kOps field changes.
  const value = fc.stringMatching(/^[a-z0-9/][a-z0-9/.,:_-]{0,20}$/);
  const name = fc.constantFrom(
    'profiling',
    'bind-address',
    'tls-min-version',
    'client-ca-file',
    'request-timeout',
    'enable-admission-plugins',
  );
  const some = fc.uniqueArray(fc.tuple(name, value), { minLength: 1, maxLength: 6, selector: ([flag]) => flag });

  it.each(Object.entries(CONTROL_PLANE))('have the same values through %s', (_, write) => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(KEYS)), some, (component, all) => {
        const object = write(component as Component, all); // one of the keys of the table
        for (const [flag, expected] of all) expect(values(object, component, flag)).toEqual([expected]);
      }),
    );
  });

  it.each(Object.entries(ETCD))('of etcd have the same values through %s', (_, write) => {
    const flag = fc.constantFrom('cert-file', 'data-dir', 'auto-tls', 'peer-trusted-ca-file');
    const all = fc.uniqueArray(fc.tuple(flag, value), { minLength: 1, maxLength: 4, selector: ([one]) => one });
    fc.assert(
      fc.property(all, (written) => {
        for (const [one, expected] of written) expect(values(write(written), 'etcd', one)).toEqual([expected]);
      }),
    );
  });

  it.each(Object.entries(KUBELET))('of the kubelet have the same values through %s', (_, write) => {
    fc.assert(
      fc.property(some, (all) => {
        for (const [flag, expected] of all) expect(values(write(all), 'kubelet', flag)).toEqual([expected]);
      }),
    );
  });

  it.each([
    [
      'a KubeletConfiguration',
      (fields: object) => ({ apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration', ...fields }),
      '',
    ],
    [
      'a Talos machine configuration',
      (fields: object) => ({ apiVersion: 'talos/v1alpha1', kind: 'MachineConfig', machine: { kubelet: { extraConfig: fields } } }),
      '/machine/kubelet/extraConfig',
    ],
    ['a KubeletConfig of Talos', (fields: object) => ({ apiVersion: 'talos/v1alpha1', kind: 'KubeletConfig', config: fields }), '/config'],
    [
      'a node group of eksctl',
      (fields: object) => ({ apiVersion: 'eksctl.io/v1alpha5', kind: 'ClusterConfig', nodeGroups: [{}, { kubeletExtraConfig: fields }] }),
      '/nodeGroups/1/kubeletExtraConfig',
    ],
  ])('are fields of %s', (_, write, base) => {
    const object = write({
      authentication: { anonymous: { enabled: true }, x509: { clientCAFile: '/ca.crt' } },
      readOnlyPort: 10255,
      featureGates: { A: true, B: false },
      tlsCipherSuites: ['X', 'Y'],
    });
    const all = {
      'anonymous-auth': 'true',
      'client-ca-file': '/ca.crt',
      'read-only-port': '10255',
      'feature-gates': 'A=true,B=false',
      'tls-cipher-suites': 'X,Y',
    };
    for (const [flag, expected] of Object.entries(all)) expect(values(object, 'kubelet', flag)).toEqual([expected]);
    expect(paths(object, 'kubelet', 'anonymous-auth')).toEqual([`${base}/authentication/anonymous/enabled`]);
    expect(flags(object, 'kubelet', 'read-only-port')[0]?.item).toMatchObject({ number: 10255, text: 'readOnlyPort: 10255' });
  });

  it('that are absent are judged only where their default is known', () => {
    const empty = {
      Pod: apiServer(),
      ClusterConfiguration: cluster('kube-apiserver', undefined, 'v1beta4'),
      KubeadmControlPlane: controlPlane('kube-apiserver', {}, 'v1beta1'),
      k3s: { apiVersion: 'k3s/v1', kind: 'Config', 'kube-apiserver-arg': 'v=2' },
      Talos: { apiVersion: 'talos/v1alpha1', kind: 'MachineConfig', cluster: { apiServer: { extraArgs: { v: '2' } } } },
      kOps: { apiVersion: 'kops.k8s.io/v1alpha2', kind: 'Cluster', spec: { kubeAPIServer: { logLevel: 2 } } },
    };
    expect(Object.entries(empty).map(([source, object]) => [source, flags(object, 'kube-apiserver', 'profiling').length])).toEqual([
      ['Pod', 1],
      ['ClusterConfiguration', 1],
      ['KubeadmControlPlane', 1],
      ['k3s', 0],
      ['Talos', 0],
      ['kOps', 0],
    ]);
    expect(values({ apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration' }, 'kubelet', 'read-only-port')).toEqual([
      '',
    ]);
  });
});

describe('the defaults of kubeadm', () => {
  const clusterOf = (more: object) => ({ apiVersion: 'kubeadm.k8s.io/v1beta4', kind: 'ClusterConfiguration', ...more });

  it('are the values of flags that extraArgs does not set', () => {
    const object = clusterOf({ certificatesDir: '/srv/pki' });
    expect(values(object, 'kube-apiserver', 'authorization-mode')).toEqual(['Node,RBAC']);
    expect(values(object, 'kube-apiserver', 'client-ca-file')).toEqual(['/srv/pki/ca.crt']);
    expect(values(object, 'kube-controller-manager', 'bind-address')).toEqual(['127.0.0.1']);
    expect(values(object, 'kube-scheduler', 'profiling')).toEqual(['']);
    expect(values(object, 'etcd', 'trusted-ca-file')).toEqual(['/srv/pki/etcd/ca.crt']);
    expect(paths(object, 'etcd', 'trusted-ca-file')).toEqual(['/etcd/local/extraArgs']);
  });

  it('are replaced by extraArgs, not added to', () => {
    const object = clusterOf({ apiServer: { extraArgs: [{ name: 'enable-admission-plugins', value: 'PodSecurity' }] } });
    expect(values(object, 'kube-apiserver', 'enable-admission-plugins')).toEqual(['PodSecurity']);
  });

  it('leave the authorization mode out if the authorizers are in a file', () => {
    const object = clusterOf({ apiServer: { extraArgs: [{ name: 'authorization-config', value: '/a.yaml' }] } });
    expect(flags(object, 'kube-apiserver', 'authorization-mode')[0]?.item).toMatchObject({ set: false, value: '' });
  });

  it('win over variables of etcd, which stand for all other flags', () => {
    const extraEnvs = [
      { name: 'ETCD_CLIENT_CERT_AUTH', value: 'false' },
      { name: 'ETCD_AUTO_TLS', value: 'true' },
    ];
    const object = clusterOf({ etcd: { local: { extraEnvs } } });
    expect([values(object, 'etcd', 'client-cert-auth'), values(object, 'etcd', 'auto-tls')]).toEqual([['true'], ['true']]);
    expect(paths(object, 'etcd', 'auto-tls')).toEqual(['/etcd/local/extraEnvs/1']);
  });

  it('follow an etcd of its own', () => {
    const object = clusterOf({ etcd: { external: { endpoints: ['https://a:2379', 'https://b:2379'], certFile: '/c' } } });
    expect(values(object, 'kube-apiserver', 'etcd-servers')).toEqual(['https://a:2379,https://b:2379']);
    expect(paths(object, 'kube-apiserver', 'etcd-certfile')).toEqual(['/etcd/external/certFile']);
    expect(values(object, 'kube-apiserver', 'etcd-certfile')).toEqual(['']);
    expect(values(object, 'etcd', 'cert-file')).toEqual([]);
  });
});

describe('values that a distribution adds to its own', () => {
  const adds = (object: unknown, name: string) => flags(object, 'kube-apiserver', name).map(({ value, item }) => [value, item['adds']]);

  it('are those with a sign in k3s and RKE2', () => {
    const object = {
      apiVersion: 'k3s/v1',
      kind: 'Config',
      'kube-apiserver-arg': ['feature-gates+=A=true', 'authorization-mode-=Webhook', 'tls-cipher-suites=X'],
    };
    expect(adds(object, 'feature-gates')).toEqual([['A=true', true]]);
    expect(adds(object, 'authorization-mode')).toEqual([['Webhook', true]]);
    expect(adds(object, 'tls-cipher-suites')).toEqual([['X', false]]);
  });

  it('are four flags of the API server in Talos', () => {
    const extraArgs = { 'enable-admission-plugins': ['X', 'Y'], profiling: 'true' };
    const object = { apiVersion: 'talos/v1alpha1', kind: 'MachineConfig', cluster: { apiServer: { extraArgs } } };
    expect([adds(object, 'enable-admission-plugins'), adds(object, 'profiling')]).toEqual([[['X,Y', true]], [['true', false]]]);
  });

  it('are appended admission plugins in kOps, unless the whole list is there', () => {
    const kops = (kubeAPIServer: object) => ({ apiVersion: 'kops.k8s.io/v1alpha2', kind: 'Cluster', spec: { kubeAPIServer } });
    expect(adds(kops({ appendAdmissionPlugins: ['X'] }), 'enable-admission-plugins')).toEqual([['X', true]]);
    expect(adds(kops({ enableAdmissionPlugins: ['Y'], appendAdmissionPlugins: ['X'] }), 'enable-admission-plugins')).toEqual([
      ['Y,X', false],
    ]);
  });
});

describe('fields of kOps', () => {
  it.each([
    ['kubeAPIServer', 'kube-apiserver', 'oidcIssuerURL', 'oidc-issuer-url'],
    ['kubeAPIServer', 'kube-apiserver', 'auditLogMaxBackups', 'audit-log-maxbackup'],
    ['kubeAPIServer', 'kube-apiserver', 'etcdCaFile', 'etcd-cafile'],
    ['kubeAPIServer', 'kube-apiserver', 'logLevel', 'v'],
    ['kubeControllerManager', 'kube-controller-manager', 'terminatedPodGCThreshold', 'terminated-pod-gc-threshold'],
    ['kubelet', 'kubelet', 'eventQPS', 'event-qps'],
    ['controlPlaneKubelet', 'kubelet', 'clientCaFile', 'client-ca-file'],
    ['kubelet', 'kubelet', 'podPidsLimit', 'pod-max-pids'],
  ])('%s of %s stand for flags: %s', (key, component, field, flag) => {
    const object = { apiVersion: 'kops.k8s.io/v1alpha2', kind: 'Cluster', spec: { [key]: { [field]: 7 } } };
    expect(flags(object, component, flag)).toMatchObject([{ value: '7', path: `/spec/${key}/${field}`, item: { text: `${field}: 7` } }]);
  });
});

describe('component', () => {
  const missing = (object: unknown, names: string) => evaluate(`component(object, "kube-apiserver", ${names}).map(c, c.missing)`, object);

  it('gives the flags that are absent or empty', () => {
    expect(missing(apiServer('--a=1', '--b='), '["a", "b", "c"]')).toEqual([['b', 'c']]);
  });

  it('gives only empty flags where a distribution has settings of its own, and nothing if it says nothing', () => {
    const k3s = { apiVersion: 'k3s/v1', kind: 'Config', 'kube-apiserver-arg': ['a=1', 'b='] };
    expect(missing(k3s, '["a", "b", "c"]')).toEqual([['b']]);
    expect(missing(k3s, '["c"]')).toEqual([]);
  });
});

describe('any other value', () => {
  it('gives nothing, whatever it is', () => {
    const kinds = [
      'v1 Pod',
      'kubeadm.k8s.io/v1beta4 ClusterConfiguration',
      'k3s/v1 Config',
      'talos/v1alpha1 MachineConfig',
      'kops.k8s.io/v1alpha2 Cluster',
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds),
        fc.object({ key: fc.constantFrom('spec', 'containers', 'command', 'env', 'apiServer', 'extraArgs', 'constructor'), maxDepth: 5 }),
        (kind, object) => {
          const [apiVersion, name] = kind.split(' ');
          for (const component of ['kube-apiserver', 'etcd', 'kubelet'])
            try {
              flags({ ...object, apiVersion, kind: name }, component, 'v');
            } catch (error) {
              if (!(error instanceof UndecidedError || error instanceof UnknownError)) throw error;
            }
        },
      ),
    );
    for (const value of [null, 1, 'a', [], {}, { kind: 'Pod' }, { apiVersion: 1, kind: 'Pod' }])
      expect(values(value, 'etcd', 'v')).toEqual([]);
  });

  it('does not take long for a long command line', () => {
    const object = apiServer(...Array.from({ length: 20_000 }, (_, index) => `--feature-gates=G${index}=true`));
    expect(flags(object, 'kube-apiserver', 'feature-gates')[0]?.item['list']).toHaveLength(20_000);
  });
});
