import { describe, expect, it } from 'vitest';
import { edgeLines, findingOn, graphOf, graphOfFiles } from '../graph.test-support.js';

const pod = (name: string, labels: string, spec = '{}', namespace = 'shop') =>
  `---\n{ apiVersion: v1, kind: Pod, metadata: { name: ${name}, namespace: ${namespace}, labels: ${labels} }, spec: ${spec} }\n`;
const object = (apiVersion: string, kind: string, name: string, spec = '{}', namespace = 'shop') =>
  `---\n{ apiVersion: ${apiVersion}, kind: ${kind}, metadata: { name: ${name}, namespace: ${namespace} }, spec: ${spec} }\n`;

describe('selectors', () => {
  it('lead a Service to the Pods of its namespace that have all of its labels', async () => {
    const graph = await graphOf(
      [
        object('v1', 'Service', 'web', '{ selector: { app: web, tier: front }, ports: [{ port: 80, targetPort: 8080 }, { port: 443 }] }'),
        pod('web', '{ app: web, tier: front, more: "1" }'),
        pod('half', '{ app: web }'),
        pod('elsewhere', '{ app: web, tier: front }', '{}', 'blog'),
      ].join(''),
    );
    expect(edgeLines(graph)).toEqual(['Service/shop/web selects Pod/shop/web (input) 80 → 8080, 443']);
  });

  it('of a Service lead to Pods that lack the port which it names, as missing', async () => {
    const spec = (port: string) => `{ containers: [{ name: c, ports: [{ name: ${port}, containerPort: 8080 }] }] }`;
    const graph = await graphOf(
      [
        object(
          'v1',
          'Service',
          'web',
          '{ selector: { app: web }, ports: [{ port: 80, targetPort: http }, { port: 81, targetPort: 8081 }] }',
        ),
        pod('new', '{ app: web }', spec('web')),
        pod('old', '{ app: web }', spec('http')),
      ].join(''),
    );
    expect(edgeLines(graph)).toEqual([
      'Service/shop/web selects Pod/shop/new (missing) 80 → http, 81 → 8081',
      'Service/shop/web selects Pod/shop/old (input) 80 → http, 81 → 8081',
    ]);
  });

  it('lead a PodDisruptionBudget to Pods by expressions, too; an empty selector means all only in policy/v1', async () => {
    const budget = (name: string, apiVersion: string, selector: string) =>
      object(apiVersion, 'PodDisruptionBudget', name, `{ selector: ${selector} }`);
    const graph = await graphOf(
      [
        budget('in', 'policy/v1', '{ matchExpressions: [{ key: app, operator: In, values: [a, b] }] }'),
        budget('all', 'policy/v1', '{}'),
        budget('none', 'policy/v1beta1', '{}'),
        pod('a', '{ app: a }'),
        pod('c', '{ app: c }'),
      ].join(''),
    );
    expect(edgeLines(graph)).toEqual([
      'PodDisruptionBudget/shop/all protects Pod/shop/a (input) every Pod',
      'PodDisruptionBudget/shop/all protects Pod/shop/c (input) every Pod',
      'PodDisruptionBudget/shop/in protects Pod/shop/a (input)',
    ]);
  });

  it('lead a NetworkPolicy to the Pods it restricts and to its peers, in the namespaces that it selects', async () => {
    const policy = `---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: web, namespace: shop }
spec:
  podSelector: { matchLabels: { app: web } }
  ingress: [{ from: [{ podSelector: { matchLabels: { app: proxy } } }, { namespaceSelector: { matchLabels: { team: a } } }, { ipBlock: { cidr: 10.0.0.0/8 } }] }]
  egress: [{ to: [{ namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: data } }, podSelector: { matchLabels: { app: db } } }] }]
`;
    const namespace = '---\n{ apiVersion: v1, kind: Namespace, metadata: { name: team, labels: { team: a } } }\n';
    const pods = [
      pod('web', '{ app: web }'),
      pod('proxy', '{ app: proxy }'),
      pod('db', '{ app: db }', '{}', 'data'),
      pod('db', '{ app: db }'),
    ];
    expect(edgeLines(await graphOf([policy, namespace, ...pods].join('')))).toEqual([
      'NetworkPolicy/shop/web allows-from Namespace/-/team (input)',
      'NetworkPolicy/shop/web allows-to Pod/data/db (input)',
      'NetworkPolicy/shop/web allows-from Pod/shop/proxy (input)',
      'NetworkPolicy/shop/web restricts Pod/shop/web (input)',
    ]);
  });

  it('that select nothing lead to Pods that are not there', async () => {
    const manifests = object('v1', 'Service', 'web', '{ selector: { app: wbe } }') + pod('web', '{ app: web }');
    expect(edgeLines(await graphOf(manifests))).toEqual(['Service/shop/web selects Pods/shop/app=wbe (outside)']);
    expect(edgeLines(await graphOf(manifests, { complete: true }))).toEqual(['Service/shop/web selects Pods/shop/app=wbe (missing)']);
  });

  it('of a Service without selector, or with an external name, lead nowhere', async () => {
    const graph = await graphOf(
      object('v1', 'Service', 'a', '{ selector: {} }') + object('v1', 'Service', 'b', '{ type: ExternalName, selector: { app: web } }'),
    );
    expect(graph.edges).toEqual([]);
    expect(graph.nodes.map(({ id }) => id)).toEqual(['Service/shop/a', 'Service/shop/b']);
  });

  it('reach the Pods of templates in custom resources', async () => {
    const rollout = object(
      'argoproj.io/v1alpha1',
      'Rollout',
      'web',
      '{ template: { metadata: { labels: { app: web } }, spec: { serviceAccountName: web } } }',
    );
    expect(edgeLines(await graphOf(rollout + object('v1', 'Service', 'web', '{ selector: { app: web } }')))).toEqual([
      'Service/shop/web selects argoproj.io/Rollout/shop/web (input)',
      'argoproj.io/Rollout/shop/web runs-as ServiceAccount/shop/web (outside)',
    ]);
  });

  it('that are the square of the input are not followed, and are counted', async () => {
    const count = 1_100;
    const services = Array.from({ length: count }, (_, index) => object('v1', 'Service', `s${index}`, '{ selector: { app: web } }'));
    const graph = await graphOf([...services, ...Array.from({ length: count }, (_, index) => pod(`p${index}`, '{ app: web }'))].join(''));
    expect(graph.edges.length).toBeLessThanOrEqual(500_000);
    expect(graph.legend.selectors_cut).toBe(count - Math.floor(500_000 / count));
    expect(graph.nodes).toHaveLength(2 * count);
  }, 60_000);
});

describe('references of routes', () => {
  it('of an Ingress lead to Services and their ports, in each version of the API, and to Secrets', async () => {
    const ingress = `---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: a, namespace: shop }
spec:
  defaultBackend: { service: { name: gone, port: { number: 80 } } }
  tls: [{ secretName: cert }]
  rules:
    - http: { paths: [{ backend: { service: { name: web, port: { number: 80 } } } }, { backend: { service: { name: web, port: { name: admin } } } }] }
    - http: { paths: [{ backend: { service: { name: redirect, port: { name: use-annotation } } } }, { backend: { resource: { apiGroup: k8s.example.com, kind: Bucket, name: files } } }] }
`;
    const old = object('extensions/v1beta1', 'Ingress', 'b', '{ backend: { serviceName: web, servicePort: http } }');
    const service = object('v1', 'Service', 'web', '{ ports: [{ name: http, port: 80 }] }');
    expect(edgeLines(await graphOf(ingress + old + service))).toEqual([
      'Ingress/shop/a reads Secret/shop/cert (outside)',
      'Ingress/shop/a routes-to Service/shop/gone (outside) port 80',
      'Ingress/shop/a routes-to Service/shop/web (input) port 80',
      'Ingress/shop/a routes-to Service/shop/web (missing) port admin',
      'Ingress/shop/a routes-to k8s.example.com/Bucket/shop/files (outside)',
      'Ingress/shop/b routes-to Service/shop/web (input) port http',
    ]);
  });

  it.each(['HTTPRoute', 'GRPCRoute', 'TLSRoute'])(
    'of the Gateway API lead to Gateways and Services, across namespaces: %s',
    async (kind) => {
      const route = object(
        'gateway.networking.k8s.io/v1',
        kind,
        'r',
        '{ parentRefs: [{ name: edge, namespace: infra }], rules: [{ backendRefs: [{ name: web, port: 80 }, { name: api, namespace: back, port: 81 }] }] }',
      );
      const gateway = object(
        'gateway.networking.k8s.io/v1',
        'Gateway',
        'edge',
        '{ listeners: [{ tls: { certificateRefs: [{ name: cert }] } }] }',
        'infra',
      );
      const graph = await graphOf(route + gateway + object('v1', 'Service', 'api', '{ ports: [{ port: 80 }] }', 'back'));
      expect(edgeLines(graph)).toContain('gateway.networking.k8s.io/Gateway/infra/edge reads Secret/infra/cert (outside)');
      expect(edgeLines(graph).filter((line) => line.includes('Route/'))).toEqual([
        `gateway.networking.k8s.io/${kind}/shop/r routes-to Service/back/api (missing) port 81`,
        `gateway.networking.k8s.io/${kind}/shop/r routes-to Service/shop/web (outside) port 80`,
        `gateway.networking.k8s.io/${kind}/shop/r attaches-to gateway.networking.k8s.io/Gateway/infra/edge (input)`,
      ]);
    },
  );

  it('of OpenShift and Istio lead to Services', async () => {
    const route = object(
      'route.openshift.io/v1',
      'Route',
      'r',
      '{ to: { kind: Service, name: web }, alternateBackends: [{ kind: Service, name: canary }], port: { targetPort: 8080 } }',
    );
    const virtual = object(
      'networking.istio.io/v1',
      'VirtualService',
      'v',
      '{ gateways: [mesh, infra/edge], http: [{ route: [{ destination: { host: web, port: { number: 80 } } }, { destination: { host: api.back.svc.cluster.local } }, { destination: { host: example.com } }] }] }',
    );
    expect(edgeLines(await graphOf(route + virtual + object('v1', 'Service', 'web', '{ ports: [{ port: 80 }] }')))).toEqual([
      'networking.istio.io/VirtualService/shop/v routes-to Host/shop/example.com (outside)',
      'networking.istio.io/VirtualService/shop/v routes-to Service/back/api (outside)',
      'networking.istio.io/VirtualService/shop/v routes-to Service/shop/web (input) port 80',
      'networking.istio.io/VirtualService/shop/v attaches-to networking.istio.io/Gateway/infra/edge (outside)',
      'route.openshift.io/Route/shop/r routes-to Service/shop/canary (outside)',
      'route.openshift.io/Route/shop/r routes-to Service/shop/web (input)',
    ]);
  });
});

describe('references of workloads', () => {
  it('lead to accounts, ConfigMaps, Secrets, claims and storage classes, wherever a Pod names them', async () => {
    const graph = await graphOf(`
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db, namespace: shop }
spec:
  serviceName: db
  volumeClaimTemplates: [{ spec: { storageClassName: fast } }]
  template:
    spec:
      serviceAccountName: db
      imagePullSecrets: [{ name: registry }]
      initContainers: [{ name: i, envFrom: [{ configMapRef: { name: base, optional: true } }] }]
      containers:
        - name: c
          env:
            - { name: A, valueFrom: { secretKeyRef: { name: login, key: password } } }
            - { name: B, valueFrom: { configMapKeyRef: { name: base, key: level } } }
            - { name: C, valueFrom: { fieldRef: { fieldPath: metadata.name } } }
      volumes:
        - { name: a, configMap: { name: files, items: [{ key: x, path: x }] } }
        - { name: b, secret: { secretName: tls } }
        - { name: c, projected: { sources: [{ secret: { name: token } }, { configMap: { name: kube-root-ca.crt } }] } }
        - { name: d, persistentVolumeClaim: { claimName: data } }
        - { name: e, ephemeral: { volumeClaimTemplate: { spec: { storageClassName: scratch } } } }
        - { name: f, csi: { driver: d, nodePublishSecretRef: { name: csi } } }
---
{ apiVersion: v1, kind: ConfigMap, metadata: { name: base, namespace: shop }, data: { other: x } }
---
{ apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: data, namespace: shop }, spec: { storageClassName: fast, volumeName: pv } }
---
{ apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: { name: fast }, provisioner: p }
`);
    expect(edgeLines(graph)).toEqual([
      'PersistentVolumeClaim/shop/data binds PersistentVolume/-/pv (outside)',
      'PersistentVolumeClaim/shop/data provisioned-by StorageClass/-/fast (input)',
      'StatefulSet/shop/db reads ConfigMap/shop/base (missing) key level',
      'StatefulSet/shop/db reads ConfigMap/shop/base (input)',
      'StatefulSet/shop/db reads ConfigMap/shop/files (outside) key x',
      'StatefulSet/shop/db reads ConfigMap/shop/kube-root-ca.crt (api)',
      'StatefulSet/shop/db mounts PersistentVolumeClaim/shop/data (input)',
      'StatefulSet/shop/db reads Secret/shop/csi (outside)',
      'StatefulSet/shop/db reads Secret/shop/login (outside) key password',
      'StatefulSet/shop/db pulls-with Secret/shop/registry (outside)',
      'StatefulSet/shop/db reads Secret/shop/tls (outside)',
      'StatefulSet/shop/db reads Secret/shop/token (outside)',
      'StatefulSet/shop/db governed-by Service/shop/db (outside)',
      'StatefulSet/shop/db runs-as ServiceAccount/shop/db (outside)',
      'StatefulSet/shop/db provisioned-by StorageClass/-/fast (input)',
      'StatefulSet/shop/db provisioned-by StorageClass/-/scratch (outside)',
    ]);
    expect(graph.edges.filter(({ optional }) => optional).map(({ path }) => path)).toEqual([
      '/spec/template/spec/initContainers/0/envFrom/0/configMapRef',
    ]);
  });

  it('of autoscalers lead to what they scale, by group, with the default of KEDA', async () => {
    const graph = await graphOf(
      [
        object(
          'autoscaling/v2',
          'HorizontalPodAutoscaler',
          'a',
          '{ scaleTargetRef: { apiVersion: argoproj.io/v1alpha1, kind: Rollout, name: web } }',
        ),
        object('keda.sh/v1alpha1', 'ScaledObject', 'b', '{ scaleTargetRef: { name: web } }'),
        object(
          'autoscaling.k8s.io/v1',
          'VerticalPodAutoscaler',
          'c',
          '{ targetRef: { apiVersion: apps/v1, kind: Deployment, name: gone } }',
        ),
        object('apps/v1', 'Deployment', 'web'),
        object('argoproj.io/v1alpha1', 'Rollout', 'web'),
      ].join(''),
    );
    expect(edgeLines(graph)).toEqual([
      'HorizontalPodAutoscaler/shop/a scales argoproj.io/Rollout/shop/web (input)',
      'autoscaling.k8s.io/VerticalPodAutoscaler/shop/c scales Deployment/shop/gone (outside)',
      'keda.sh/ScaledObject/shop/b scales Deployment/shop/web (input)',
    ]);
  });

  it('are missing in a complete input, unless the API or an operator makes the target, or its kind could not be listed', async () => {
    const manifests = [
      pod(
        'a',
        '{}',
        '{ serviceAccountName: default, containers: [{ name: c, envFrom: [{ secretRef: { name: sealed } }, { secretRef: { name: gone } }, { configMapRef: { name: far } }] }] }',
      ),
      '---\n{ apiVersion: bitnami.com/v1alpha1, kind: SealedSecret, metadata: { name: sealed, namespace: shop } }\n',
    ].join('');
    expect(edgeLines(await graphOf(manifests, { complete: true, notListed: new Map([['ConfigMap', 'forbidden']]) }))).toEqual([
      'Pod/shop/a reads ConfigMap/shop/far (outside)',
      'Pod/shop/a reads Secret/shop/gone (missing)',
      'Pod/shop/a reads Secret/shop/sealed (outside)',
      'Pod/shop/a runs-as ServiceAccount/shop/default (api)',
      'bitnami.com/SealedSecret/shop/sealed makes Secret/shop/sealed (outside)',
    ]);
  });

  it('lead from owners to what they own', async () => {
    const owned = `---
{ apiVersion: v1, kind: Pod, metadata: { name: web-1, namespace: shop, ownerReferences: [{ apiVersion: apps/v1, kind: Deployment, name: web, controller: true }] } }
`;
    expect(edgeLines(await graphOf(owned + object('apps/v1', 'Deployment', 'web')))).toEqual([
      'Deployment/shop/web owns Pod/shop/web-1 (input)',
    ]);
  });
});

describe('nodes', () => {
  it('have the namespace of the run if an object sets none, and no namespace if their kind knows none', async () => {
    const graph = await graphOf(
      '{ apiVersion: v1, kind: Pod, metadata: { name: a } }\n---\n{ apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: { name: fast } }\n',
      { namespace: 'shop' },
    );
    expect(graph.nodes.map(({ id, namespace }) => [id, namespace])).toEqual([
      ['Pod/shop/a', 'shop'],
      ['StorageClass/-/fast', null],
    ]);
  });

  it('of several definitions of an object are several, and a reference means the one in its own file', async () => {
    const deploy = '{ apiVersion: apps/v1, kind: Deployment, metadata: { name: web } }\n';
    const scaler =
      '---\n{ apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: { name: web }, spec: { scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web } } }\n';
    const graph = await graphOfFiles({ 'base.yaml': deploy, 'prod.yaml': deploy + scaler });
    expect(edgeLines(graph)).toEqual(['HorizontalPodAutoscaler/default/web scales Deployment/default/web#2 (input)']);
    expect(graph.nodes.map(({ id, location }) => [id, location?.file])).toContainEqual(['Deployment/default/web#2', 'prod.yaml']);
  });

  it('have identifiers of their own, whatever their names are', async () => {
    const names = ['"web#2"', 'web', 'web', '"a/b"', '"a\\nb"', '"__proto__"', 'constructor', `"${'x'.repeat(63_000)}"`];
    const graph = await graphOf(names.map((name) => `---\n{ apiVersion: v1, kind: Pod, metadata: { name: ${name} } }\n`).join(''));
    expect(new Set(graph.nodes.map(({ id }) => id)).size).toBe(names.length);
    expect(Math.max(...graph.nodes.map(({ id }) => id.length))).toBeLessThan(300);
  });

  it('are told apart in linear time, however often an object is defined and whatever the others are named', async () => {
    const pods = (count: number, name: (index: number) => string) =>
      Array.from({ length: count }, (_, index) => `---\n{ apiVersion: v1, kind: Pod, metadata: { name: "${name(index)}" } }\n`).join('');
    const count = 10_000;
    const manifests = pods(count, (index) => `web#${index + 2}`) + pods(count, () => 'web');
    const findings = Array.from({ length: 20_000 }, (_, index) =>
      findingOn('Pod web', '', { location: { file: 'all.yaml', line: 2 * count + 2 * (index % count) + 2, column: 1 } }),
    );
    const graph = await graphOf(manifests, { findings });
    expect(new Set(graph.nodes.map(({ id }) => id)).size).toBe(2 * count);
    expect(graph.nodes.filter(({ findings: { HIGH = 0 } }) => HIGH === 2)).toHaveLength(count);
  }, 20_000);

  it('are made of no input that a wrong type can break', async () => {
    const wrong = [
      'null',
      '[]',
      '"x"',
      '7',
      '{ selector: [1], podSelector: 7, rules: {}, template: [], scaleTargetRef: [], ports: x, ingress: [7, { from: x }], tls: [null] }',
    ];
    const kinds = ['Service', 'Pod', 'ConfigMap', 'Secret', 'PersistentVolumeClaim', 'ServiceAccount'].map((kind) => ['v1', kind] as const);
    const others = [
      ['networking.k8s.io/v1', 'NetworkPolicy'],
      ['networking.k8s.io/v1', 'Ingress'],
      ['autoscaling/v2', 'HorizontalPodAutoscaler'],
      ['policy/v1', 'PodDisruptionBudget'],
      ['apps/v1', 'StatefulSet'],
      ['networking.istio.io/v1', 'VirtualService'],
      ['gateway.networking.k8s.io/v1', 'HTTPRoute'],
    ] as const;
    const manifests = [...kinds, ...others].flatMap(([apiVersion, kind]) =>
      wrong.map(
        (spec, index) => `---\n{ apiVersion: ${apiVersion}, kind: ${kind}, metadata: { name: n${index} }, spec: ${spec}, data: ${spec} }\n`,
      ),
    );
    const graph = await graphOf(manifests.join(''));
    expect(graph.nodes.filter(({ presence }) => presence === 'input').length).toBeGreaterThan(40);
  });
});
