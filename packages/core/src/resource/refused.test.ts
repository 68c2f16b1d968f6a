import { describe, expect, it } from 'vitest';
import { readDocument } from './read-document.js';
import { readObject } from './read-object.js';
import { MAX_MALFORMED } from './text/limits.js';

/** The errors of a document, as `line:column message`. */
function errorsOf(text: string): string[] {
  const { resources, errors } = readDocument({ file: 'a.yaml', index: 0, text, line: 1 });
  expect(resources.length).toBeGreaterThan(0);
  return errors.map(({ code, message, location }) => {
    expect(code).toBe('malformed');
    return `${location?.line}:${location?.column} ${message}`;
  });
}

const kindError = (apiVersion: string, kind: string) => errorsOf(`apiVersion: ${apiVersion}\nkind: ${kind}\n`);

const DEPLOYMENT = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\n';

describe('a kind that kube-apiserver does not serve', () => {
  it.each([
    ['v1', 'pod', '2:1 There is no kind "pod" in v1: kinds are case-sensitive. Write kind: Pod.'],
    ['apps/v1', 'deployment', '2:1 There is no kind "deployment" in apps/v1: kinds are case-sensitive. Write kind: Deployment.'],
    ['apps/v1', 'Deployement', '2:1 There is no kind "Deployement" in apps/v1. Did you mean kind: Deployment?'],
    ['apps/v1', 'StatefulSets', '2:1 There is no kind "StatefulSets" in apps/v1. Did you mean kind: StatefulSet?'],
    ['v1', 'Pods', '2:1 There is no kind "Pods" in v1. Did you mean kind: Pod?'],
    ['apps/v1', 'Dpeloyment', '2:1 There is no kind "Dpeloyment" in apps/v1. Did you mean kind: Deployment?'],
    ['v1', 'cronjob', '2:1 There is no kind "cronjob" in v1: kinds are case-sensitive. Write kind: CronJob, and apiVersion: batch/v1.'],
    [
      'extensions/v1beta1',
      'ingres',
      '2:1 There is no kind "ingres" in extensions/v1beta1. Did you mean kind: Ingress, and apiVersion: networking.k8s.io/v1?',
    ],
    ['apps/v1', 'Pod', '1:1 There is no kind Pod in apps/v1. Write apiVersion: v1.'],
    ['v1', 'Deployment', '1:1 There is no kind Deployment in v1. Write apiVersion: apps/v1.'],
    ['v1', 'Ingress', '1:1 There is no kind Ingress in v1. Write apiVersion: networking.k8s.io/v1.'],
    [
      'rbac.authorization.k8s.io/v1',
      'ServiceAccount',
      '1:1 There is no kind ServiceAccount in rbac.authorization.k8s.io/v1. Write apiVersion: v1.',
    ],
  ])('is one error with the nearest that it does serve: %s %s', (apiVersion, kind, message) => {
    expect(kindError(apiVersion, kind)).toEqual([message]);
  });

  it.each([
    ['serving.knative.dev/v1', 'Service'],
    ['example.com/v1', 'pod'],
    ['apps.openshift.io/v1', 'DeploymentConfig'],
    ['v1', 'DeploymentConfig'],
    ['v1', 'RoleBinding'],
    ['v1', 'Route'],
    ['v1', 'Config'],
    ['v1', 'Status'],
    ['v1', 'ComponentStatus'],
    ['policy/v1', 'Eviction'],
    ['autoscaling/v1', 'Scale'],
    ['policy/v1beta1', 'PodSecurityPolicy'],
    ['extensions/v1beta1', 'PodSecurityPolicy'],
    ['extensions/v1beta1', 'Ingress'],
    ['batch/v2alpha1', 'JobTemplate'],
    ['autoscaling/v2beta2', 'HorizontalPodAutoscaler'],
    ['settings.k8s.io/v1alpha1', 'PodPreset'],
    ['apiregistration.k8s.io/v1beta1', 'APIService'],
    ['certificates.k8s.io/v1beta1', 'CertificateSigningRequest'],
    ['scheduling.k8s.io/v1', 'PriorityClass'],
    ['v1', 'SomethingElse'],
    ['argoproj.io/v1alpha1', 'Workflow'],
  ])('is not one of these: custom resources, removed versions, what other servers serve: %s %s', (apiVersion, kind) => {
    expect(kindError(apiVersion, kind)).toEqual([]);
  });

  it('is not repeated at length, nor is one from an API server', () => {
    expect(kindError('v1', 'p'.repeat(100_000))).toEqual([]);
    const object = { apiVersion: 'apps/v1', kind: 'Pod', spec: {} };
    expect(readObject(object, { file: '', document: 0 }).errors).toHaveLength(1);
    expect(readObject(object, { file: '', document: 0, served: true }).errors).toEqual([]);
  });
});

describe('a field without which kube-apiserver refuses a workload', () => {
  it.each([
    ['apiVersion: v1\nkind: Pod\n', '1:1 /spec is missing, and the API server rejects a Pod without it. Add it with its containers.'],
    [
      'apiVersion: v1\nkind: Pod\nspec: { hostPID: true }\n',
      '3:1 /spec/containers is missing, and the API server rejects a Pod without containers. Add at least one.',
    ],
    [
      'apiVersion: v1\nkind: Pod\nspec:\n  containers: null\n',
      '4:3 /spec/containers is missing, and the API server rejects a Pod without containers. Add at least one.',
    ],
    [
      'apiVersion: v1\nkind: Pod\nspec:\n  containers: []\n',
      '4:3 /spec/containers is empty, and the API server rejects a Pod without containers. Add at least one.',
    ],
    [DEPLOYMENT, '1:1 /spec is missing, and the API server rejects a Deployment without it. Add it with its containers.'],
    [
      `${DEPLOYMENT}spec:\n  replicas: 1\n`,
      '4:1 /spec/template is missing, and the API server rejects a Deployment without it. Add it with its containers.',
    ],
    [
      `${DEPLOYMENT}spec:\n  template: {}\n`,
      '5:3 /spec/template/spec is missing, and the API server rejects a Deployment without it. Add it with its containers.',
    ],
    [
      'apiVersion: batch/v1\nkind: CronJob\nspec: { jobTemplate: { spec: {} } }\n',
      '3:24 /spec/jobTemplate/spec/template is missing, and the API server rejects a CronJob without it. Add it with its containers.',
    ],
    [
      'apiVersion: v1\nkind: PodTemplate\n',
      '1:1 /template is missing, and the API server rejects a PodTemplate without it. Add it with its containers.',
    ],
    [
      'apiVersion: extensions/v1beta1\nkind: Deployment\nspec: { template: { spec: {} } }\n',
      '3:21 /spec/template/spec/containers is missing, and the API server rejects a Deployment without containers. Add at least one.',
    ],
  ])('is one error at the nearest place: %j', (text, message) => {
    expect(errorsOf(text)).toEqual([message]);
  });

  it('is the image of each container but ephemeral ones, which are not created with a Pod', () => {
    const text = `apiVersion: v1
kind: Pod
spec:
  containers:
    - name: app
      image: ""
    - name: side
    -
    - image: nginx
  initContainers:
    - {name: init, image: null}
  ephemeralContainers:
    - name: debug
`;
    const tail =
      'and the API server rejects a Pod if a container has no image. Set the image; if a tool sets it, render the manifest first.';
    expect(errorsOf(text)).toEqual([
      `6:7 /spec/containers/0/image is empty, ${tail}`,
      `7:7 /spec/containers/1/image is missing, ${tail}`,
      `4:3 /spec/containers/2/image is missing, ${tail}`,
      `11:20 /spec/initContainers/0/image is missing, ${tail}`,
    ]);
  });

  it('is not missing where its value has the wrong type: that is another error', () => {
    for (const spec of ['x', '{ containers: x }', '{ containers: [x] }', '{ containers: [{ name: a, image: 3 }] }', '{ containers: [[]] }'])
      expect(errorsOf(`apiVersion: v1\nkind: Pod\nspec: ${spec}\n`)).toEqual([expect.stringMatching(/ must be /)]);
  });

  it('is neither a field that may be absent nor a field of another kind', () => {
    for (const text of [
      'apiVersion: v1\nkind: Pod\nspec: { containers: [{ image: " " }] }\n',
      'apiVersion: apps.openshift.io/v1\nkind: DeploymentConfig\nspec: {}\n',
      'apiVersion: v1\nkind: DeploymentConfig\nspec: { template: { spec: { containers: [{ name: a }] } } }\n',
      'apiVersion: serving.knative.dev/v1\nkind: Service\nspec: {}\n',
      'apiVersion: example.com/v1\nkind: Deployment\n',
      'apiVersion: v1\nkind: Service\n',
      'apiVersion: v1\nkind: List\nitems: []\n---\napiVersion: v1\nkind: ConfigMap\n',
    ])
      expect(readDocument({ file: 'a.yaml', index: 0, text, line: 1 }).errors).toEqual([]);
  });

  it('is searched for in the items of a list, with their places', () => {
    expect(errorsOf('apiVersion: v1\nkind: PodList\nitems:\n  - spec: {}\n')).toEqual([
      expect.stringMatching(/^4:5 \/spec\/containers is missing/),
    ]);
  });

  it('leaves the object to be evaluated, and an object of an API server without an error', () => {
    const object = { apiVersion: 'v1', kind: 'Pod', spec: { hostPID: true } };
    expect(readObject(object, { file: '', document: 0 })).toMatchObject({ resources: [{ object }], errors: [{ code: 'malformed' }] });
    expect(readObject(object, { file: '', document: 0, served: true }).errors).toEqual([]);
  });

  it('is reported at most so often for one object', () => {
    const containers = Array.from({ length: MAX_MALFORMED + 5 }, () => ({ name: 'a' }));
    const { errors } = readObject({ apiVersion: 'v1', kind: 'Pod', spec: { containers } }, { file: '', document: 0 });
    expect(errors).toHaveLength(MAX_MALFORMED + 1);
    expect(errors.at(-1)?.message).toBe('5 more containers have no image.');
  });
});
