/** Requests of an API server to the webhook: a Deployment as most are, and objects of about 100 kB, as they are read and as they are changed. */
export function webhookBodies(): { [name: string]: object } {
  const small = deployment([container(0)]);
  const environment = deployment([container(0, { env: variables(1000) })]);
  const containers = deployment(Array.from({ length: 40 }, (_, index) => container(index, { env: variables(20) })));
  const bookkeeping = deployment([container(0, { env: variables(400) })], { managedFields: managedFields(900) });
  return {
    small: review(small),
    environment: review(environment),
    containers: review(containers),
    configmap: review({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'files', namespace: 'shop' },
      data: Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`file-${index}.conf`, lines(40)])),
    }),
    update: review({ ...bookkeeping, spec: { ...bookkeeping.spec, replicas: 5 } }, bookkeeping),
  };
}

function review(object: { kind: string }, oldObject?: object): object {
  const request = {
    uid: '705ab4f5-6393-11e8-b7cc-42010a800002',
    kind: { group: '', version: 'v1', kind: object.kind },
    namespace: 'shop',
    operation: oldObject ? 'UPDATE' : 'CREATE',
    userInfo: { username: 'alice', groups: ['system:authenticated'] },
    object,
    oldObject: oldObject ?? null,
    dryRun: false,
  };
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
}

function deployment(containers: object[], metadata: object = {}) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', uid: '6393', labels: { 'app.kubernetes.io/name': 'web' }, ...metadata },
    spec: {
      replicas: 3,
      selector: { matchLabels: { 'app.kubernetes.io/name': 'web' } },
      template: {
        metadata: { labels: { 'app.kubernetes.io/name': 'web' } },
        spec: { containers, restartPolicy: 'Always', dnsPolicy: 'ClusterFirst', schedulerName: 'default-scheduler', securityContext: {} },
      },
    },
  };
}

function container(index: number, more: object = {}): object {
  return {
    name: `app-${index}`,
    image: `registry.example.com/app-${index}:1.2.3`,
    imagePullPolicy: 'IfNotPresent',
    ports: [{ containerPort: 8080, protocol: 'TCP' }],
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    readinessProbe: { httpGet: { path: '/ready', port: 8080, scheme: 'HTTP' }, periodSeconds: 10, timeoutSeconds: 1, failureThreshold: 3 },
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    ...more,
  };
}

function variables(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `SETTING_${index}`,
    value: `the value of setting ${index} is a text of some length`,
  }));
}

function managedFields(count: number): object[] {
  const fields = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`k:{"name":"SETTING_${index}"}`, { '.': {}, 'f:name': {}, 'f:value': {} }]),
  );
  return [{ manager: 'kubectl', operation: 'Update', apiVersion: 'apps/v1', fieldsType: 'FieldsV1', fieldsV1: fields }];
}

function lines(count: number): string {
  return Array.from({ length: count }, (_, index) => `setting.${index} = the value of this setting is ${index * 7}\n`).join('');
}
